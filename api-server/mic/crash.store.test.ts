import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrations } from '#api-server/migrations.ts'
import { openDatabase } from '#server-kit/db/open-database.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { openMicStage } from '#tests/support/databases/mic-stage.ts'
import { bundled } from '#tests/support/house/bundle.ts'
import { chance, sized, withSeed } from '#tests/support/house/sizes.ts'

const rounds = sized(3, 30)
const count = sized(120, 400)

let child: Awaited<ReturnType<typeof bundled>>
beforeAll(async () => {
  child = await bundled('tests/support/killed/option-child.ts')
})
afterAll(() => child?.remove())

/** @param killAfterMs from when it has opened its database; absent: it runs to its end @returns true once nothing was left */
async function settleIn(args: readonly string[], killAfterMs?: number): Promise<boolean> {
  const process_ = spawn(process.execPath, [child.file, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let [errors, done] = ['', false]
  process_.stderr.on('data', (part) => {
    errors += part
  })
  createInterface(process_.stdout).on('line', (line) => {
    done ||= line === 'done'
    if (line === 'open' && killAfterMs !== undefined) setTimeout(() => process_.kill('SIGKILL'), killAfterMs)
  })
  await new Promise((ended) => process_.once('close', ended))
  expect(errors).toBe('')
  return done
}

onEngines('options when the process is killed', (engine) => {
  test('each is settled once, with the result that it has without a kill', async () => {
    const place = await engine.place()
    const options = { ...place, log: createLog('silent'), onFatal: () => {} }
    const stage = await openMicStage({ ...engine, open: (steps) => openDatabase({ ...options, ...(steps && { migrations: steps }) }) })
    const uid = await stage.customer('100000')
    stage.tick('50000')
    const asked = { match_id: 'BTCUSDT', currency_id: '3', number: '10' }
    for (let i = 0; i < count; i++)
      await stage.call('mic.orderOpen', uid, { ...asked, type: i % 3 ? 'up' : 'down', seconds: i % 2 ? '30' : '60' })
    stage.stage.later(29_000)
    stage.tick('50001')
    stage.stage.later(30_000)
    stage.tick('49999')
    stage.stage.later(600_000)
    const now = stage.stage.now()
    await stage.close()
    await stage.database.close()

    const args = [String(now), place.dataDir, ...(place.databaseUrl ? [place.databaseUrl] : [])]
    const draw = chance()
    await withSeed(draw, async () => {
      for (let round = 0; round < rounds; round++) await settleIn(args, 400 * draw.next())
      expect(await settleIn(args)).toBe(true)
    })

    const database = await openDatabase({ ...options, migrations })
    try {
      const rows = await database.db.selectFrom('option_order').select(['id', 'type', 'seconds', 'status', 'settle_price']).execute()
      expect(rows).toHaveLength(count)
      for (const { id, type, seconds, status, settle_price } of rows) {
        const price = seconds === 30 ? '50001.00' : '49999.00'
        expect([id, settle_price, status]).toEqual([id, price, (seconds === 30) === (type === 'up') ? 'won' : 'lost'])
      }
      await expectSoundMoney(database)
    } finally {
      await database.close()
    }
  })
})
