import { expect, test } from 'vitest'
import { accountMigration, codeAskerMigration } from '#api-server/account/account.migration.ts'
import { codeLimits } from '#api-server/account/codes/code.rules.ts'
import { createCodeStore } from '#api-server/account/codes/code.store.ts'
import { createGuardStore } from '#api-server/account/login/guard.store.ts'
import { guardLimits } from '#server-kit/security/guard.rules.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { sized } from '#tests/support/house/sizes.ts'

const rounds = sized(20, 300)
const day = 86_400_000

onEngines('tries at a secret', (engine) => {
  test('a try is counted or told to wait, also while others are right and wipe the count', { timeout: 120_000 }, async () => {
    const database = await engine.open([accountMigration])
    const store = createGuardStore(database)
    for (let round = 0; round < rounds; round++) {
      const take = () => store.take('pay:ann', round)
      const waits = await Promise.all([take(), take(), store.clear('pay:ann'), take(), take(), store.giveBack('pay:ann'), take(), take()])
      for (const wait of waits) expect(wait ?? 0).toBeLessThanOrEqual(guardLimits.firstDelayMs)
    }
    await store.clear('pay:ann')
    const all = await Promise.all(Array.from({ length: 20 }, () => store.take('pay:ann', 0)))
    expect(all.filter((wait) => wait === 0)).toHaveLength(guardLimits.freeTries)
  })

  test('a code is asked for while old addresses are swept', { timeout: 120_000 }, async () => {
    const database = await engine.open([accountMigration, codeAskerMigration])
    const store = createCodeStore(database)
    for (let round = 1; round <= rounds; round++) {
      const now = round * 10 * day
      const ask = () => database.transaction((tx) => store.ask(tx, [{ ...codeLimits, subject: 'ann@mail.example' }], now))
      const asked = await Promise.all([ask(), store.removeOld(now), ask(), store.removeOld(now + 9 * day), ask()])
      for (const one of asked) expect(one?.outcome ?? 'send').toMatch(/^(send|code_too_soon)$/)
    }
  })
})
