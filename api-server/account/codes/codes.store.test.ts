import { expect, test } from 'vitest'
import { accountMigrations } from '#api-server/account/account.migration.ts'
import { codeLimits } from '#api-server/account/codes/code.rules.ts'
import { createCodeStore } from '#api-server/account/codes/code.store.ts'
import { createCodes } from '#api-server/account/codes/codes.ts'
import type { Message } from '#api-server/outbox/post.ts'
import { type Scene, scenes } from '#contract/calls/auth.calls.ts'
import { ApiProblem } from '#contract/problem.ts'
import { createSettableClock } from '#server-kit/ops/clock.ts'
import { openSecrets } from '#server-kit/security/secrets.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { sized } from '#tests/support/house/sizes.ts'

const rounds = sized(20, 300)
const day = 86_400_000

const outcomeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'taken',
    (error) => (error instanceof ApiProblem ? error.code : String(error)),
  )

onEngines('a code', (engine) => {
  test('opens what it was asked for, for who asked, where it went, in time and once', async () => {
    const database = await engine.open(accountMigrations)
    const clock = createSettableClock()
    const sent: Message[] = []
    const codes = createCodes({
      database,
      clock,
      secrets: openSecrets({ secretKey: 'k'.repeat(64), dataDir: '' }),
      post: { put: async (_tx, message) => void sent.push(message) },
    })
    const wrong: string[] = []
    for (const [place, scene] of scenes.entries()) {
      const account = 100 + place
      const target = `${scene}@mail.example`
      const ask = async () => {
        await codes.send({ channel: 'mail', target, scene, account, lang: 'en', ip: '', knownAs: { account }, drop: false })
        return String(sent.at(-1)?.text.values?.code)
      }
      const check = (code: string, over: { scene?: Scene; account?: number; target?: string } = {}) =>
        codes.check({ scene, account, target, code, field: 'code', ...over })
      const expected = async (what: string, of: Promise<unknown>, outcome: string) => {
        const said = await outcomeOf(of)
        if (said !== outcome) wrong.push(`${scene}, ${what}: ${said}`)
      }
      const code = await ask()
      for (const other of scenes) if (other !== scene) await expected(`taken for ${other}`, check(code, { scene: other }), 'code_wrong')
      await expected('of another account', check(code, { account: 1_000 + place }), 'code_wrong')
      await expected('of another address', check(code, { target: 'else@mail.example' }), 'code_wrong')
      const id = await check(code)
      const use = (one: string) => database.transaction((tx) => codes.use(tx, one, 'code'))
      await expected('used', use(id), 'taken')
      await expected('used twice', use(id), 'code_wrong')
      await expected('shown after it was used', check(code), 'code_wrong')
      clock.set(clock.now() + codeLimits.resendMs)
      const late = await ask()
      clock.set(clock.now() + codeLimits.lifeMs)
      await expected('after its time', check(late), 'code_wrong')
    }
    expect(wrong).toEqual([])
    expect(sent).toHaveLength(scenes.length * 2)
  })

  test('a code is asked for while old addresses are swept', async () => {
    const database = await engine.open(accountMigrations)
    const store = createCodeStore(database)
    for (let round = 1; round <= rounds; round++) {
      const now = round * 10 * day
      const ask = () => database.transaction((tx) => store.ask(tx, [{ ...codeLimits, subject: 'ann@mail.example' }], now))
      const asked = await Promise.all([ask(), store.removeOld(now), ask(), store.removeOld(now + 9 * day), ask()])
      for (const one of asked) expect(one?.outcome ?? 'send').toMatch(/^(send|code_too_soon)$/)
    }
  })
})
