import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrations } from '#api-server/migrations.ts'
import { openDatabase } from '#server-kit/db/open-database.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { openOtcStage } from '#tests/support/databases/otc-stage.ts'
import { bundled } from '#tests/support/house/bundle.ts'
import { chance, sized, withSeed } from '#tests/support/house/sizes.ts'

const rounds = sized(3, 30)

let child: Awaited<ReturnType<typeof bundled>>
beforeAll(async () => {
  child = await bundled('tests/support/killed/otc-child.ts')
})
afterAll(() => child?.remove())

/** @param kill after so many answers, and then so many ms; absent: the process ends by itself @returns the lines that it has said */
async function dealIn(args: readonly string[], kill?: { after: number; ms: number }): Promise<string[][]> {
  const process_ = spawn(process.execPath, [child.file, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const lines: string[][] = []
  let [errors, answers] = ['', 0]
  process_.stderr.on('data', (part) => {
    errors += part
  })
  createInterface(process_.stdout).on('line', (line) => {
    lines.push(line.split(' '))
    if (line.startsWith('done ') && ++answers === kill?.after) setTimeout(() => process_.kill('SIGKILL'), kill.ms)
  })
  const signal = await new Promise((ended) => process_.once('close', (_code, by) => ended(by)))
  expect([errors, signal]).toEqual(['', kill ? 'SIGKILL' : null])
  return lines
}

onEngines('OTC when the process is killed', (engine) => {
  test('each order is there once, as it was answered and decided', { timeout: 600_000 }, async () => {
    const place = await engine.place()
    const options = { ...place, log: createLog('silent'), onFatal: () => {} }
    const on = await openOtcStage({ open: (steps) => openDatabase({ ...options, migrations: steps! }) })
    const offers = [await on.offer({ whole: '100000' }), await on.offer({ side: 'sell', whole: '100000' })]
    // Orders that nobody decides pile up, and a customer may have twenty of them: more rounds take more customers.
    const customers: number[] = []
    for (let n = 0; n < 4 + rounds; n++) customers.push(await on.customer({ USDT: '1000000000', BTC: '10000' }))
    await on.stage.database.close()

    const draw = chance()
    await withSeed(draw, async () => {
      const [idOf, statusOf, refused] = [new Map<string, string>(), new Map<string, string>(), new Set<string>()]
      let unknown: string[] = []
      let retried = 0
      async function round(kill?: Parameters<typeof dealIn>[1]): Promise<void> {
        const args = [place.dataDir, place.databaseUrl ?? '', offers.join(), customers.join(), kill ? 'on' : 'end', unknown.join()]
        retried += unknown.length
        const tried = new Set(unknown)
        for (const [word, first = '', second = ''] of await dealIn(args, kill)) {
          if (word === 'try') tried.add(first)
          if (word === 'no') refused.add(first)
          if (word === 'was') statusOf.set(first, second)
          if (word !== 'done') continue
          expect([undefined, second]).toContain(idOf.get(first))
          idOf.set(first, second)
        }
        unknown = [...tried].filter((key) => !idOf.has(key) && !refused.has(key))
      }
      for (let at = 0; at < rounds; at++) await round({ after: 1 + draw.below(30), ms: 200 * draw.next() })
      await round()
      expect(unknown).toEqual([])
      expect(retried).toBeGreaterThan(0)

      const database = await openDatabase({ ...options, migrations })
      try {
        const rows = await database.db.selectFrom('otc_order').select(['id', 'status']).execute()
        expect(new Set(rows.map(({ id }) => String(id)))).toEqual(new Set(idOf.values()))
        expect(rows.filter(({ id, status }) => ![undefined, status].includes(statusOf.get(String(id)) as typeof status))).toEqual([])
        expect(statusOf.size).toBeGreaterThan(rounds)
        await expectSoundMoney(database)
      } finally {
        await database.close()
      }
    })
  })
})
