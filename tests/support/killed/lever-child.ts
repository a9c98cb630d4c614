import { inspect } from 'node:util'
import { migrations } from '#api-server/migrations.ts'
import { ApiProblem } from '#contract/problem.ts'
import { openDatabase } from '#server-kit/db/open-database.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { leverStageOn } from '#tests/support/databases/lever-stage.ts'
import { say } from '#tests/support/say.ts'

/**
 * A process to be killed while prices act. Its arguments name folder and address of the database, the time that its clock shows, and `on` or
 * `end`: with `end` it waits until all is done that prices have fired, and ends. With `on` it says `fired <count>` again and again: how many
 * positions prices have ended since it began.
 */
const [dataDir = '', databaseUrl = '', startAt = '0', how = 'on'] = process.argv.slice(2)
const customers = 6
const pause = (ms: number) => new Promise((wake) => setTimeout(wake, ms))

async function run(): Promise<void> {
  const onFatal = () => process.exit(70)
  const database = await openDatabase({ dataDir, databaseUrl: databaseUrl || undefined, log: createLog('silent'), onFatal, migrations })
  const stage = await leverStageOn(database, { startAt: Number(startAt) })
  await stage.started()
  if (how === 'end') {
    await stage.settled()
    await stage.stop()
    return database.close()
  }
  let price = 50_000
  const prices = async () => {
    for (;;) {
      price = Math.min(60_000, Math.max(40_000, price * (1 + (Math.random() - 0.5) / 500)))
      stage.tick(price.toFixed(2), 'BTCUSDT', 20)
      await pause(4)
    }
  }
  const trader = async () => {
    const uid = await stage.customer('1000000')
    for (;;) {
      const isLong = Math.random() < 0.5
      const at = (share: number) => (price * (1 + (isLong ? share : -share))).toFixed(2)
      const isOrder = Math.random() < 0.3
      const order = {
        ...{ match_id: 'BTCUSDT', side: isLong ? 'long' : 'short', lots: '1', multiple: '100' },
        ...{ target_profit_price: at(0.0005 + Math.random() / 300), stop_loss_price: at(-0.002 - Math.random() / 50) },
        ...(isOrder && { type: 'limit', price: at(-Math.random() / 1_000) }),
      }
      try {
        await stage.call('lever.orderOpen', uid, order)
      } catch (error) {
        if (!(error instanceof ApiProblem)) throw error
        await pause(20)
      }
    }
  }
  const count = async () =>
    Number(
      (
        await database.db
          .selectFrom('lever_close')
          .select(({ fn }) => fn.countAll().as('all'))
          .executeTakeFirstOrThrow()
      ).all,
    )
  const before = await count()
  const fired = async () => {
    for (;;) {
      say(`fired ${(await count()) - before}`)
      await pause(50)
    }
  }
  await Promise.all([fired(), prices(), ...Array.from({ length: customers }, trader)])
}

run().catch((error: unknown) => {
  process.stderr.write(`${inspect(error)}\n`)
  process.exit(1)
})
