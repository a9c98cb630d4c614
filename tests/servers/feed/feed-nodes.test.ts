import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { marketMigrations } from '#api-server/market/market.migration.ts'
import { type Market, openMarket } from '#api-server/market/market.ts'
import type { Database } from '#server-kit/db/db.ts'
import { openDatabase } from '#server-kit/db/open-database.ts'
import { type Bus, createNatsBus } from '#server-kit/ops/bus.ts'
import { systemClock } from '#server-kit/ops/clock.ts'
import { leaseMigration } from '#server-kit/ops/lease.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { priceBreaches } from '#tests/support/audit.ts'
import { sharedDatabases } from '#tests/support/databases/engines.ts'
import { postgresMissing, type TestPostgres } from '#tests/support/databases/postgres.ts'
import { eventually } from '#tests/support/eventually.ts'
import { natsMissing, startNats, type TestNats } from '#tests/support/servers/nats.ts'

const missing = natsMissing() ?? postgresMissing()
if (missing) console.error(`\n!!! several nodes: NOT RUN: ${missing}\n`)
const log = createLog('silent')

interface Node {
  database: Database
  bus: Bus
  market: Market
}

describe.skipIf(missing !== undefined)(`several nodes on one database and bus${missing ? ` (${missing})` : ''}`, () => {
  let nats: TestNats
  let databases: Pick<TestPostgres, 'freshUrl' | 'stop'>
  let url: string
  const nodes: Node[] = []
  const open = async (): Promise<Node> => {
    const database = await openDatabase({
      dataDir: '/nonexistent',
      databaseUrl: url,
      log,
      migrations: [...marketMigrations, leaseMigration],
      onFatal(error) {
        throw error
      },
    })
    const bus = await createNatsBus(nats.url, log)
    const node = { database, bus, market: await openMarket({ database, bus, log, clock: systemClock, source: 'simulator' }) }
    nodes.push(node)
    return node
  }
  const close = async (node: Node) => {
    nodes.splice(nodes.indexOf(node), 1)
    await node.market.stop()
    await node.bus.close()
    await node.database.close()
  }
  const leads = ({ market }: Node) => market.counts().leading === 1
  const last = ({ market }: Node) => market.board.last('BTCUSDT')!
  /** The follower applies ticks, and shows the price that the log has under the same number. */
  async function follows(node: Node): Promise<void> {
    const from = last(node).id
    await eventually(() => last(node).id).toBeGreaterThan(from + 5)
    const { tickId, price } = node.market.reads.lastPrice('BTCUSDT')!
    expect((await node.market.reads.proven(tickId)).price).toBe(price)
  }

  beforeAll(async () => {
    databases = sharedDatabases()
    nats = await startNats()
    url = await databases.freshUrl()
  })
  afterAll(async () => {
    for (const node of [...nodes]) await close(node)
    await Promise.all([nats?.stop(), databases?.stop()])
  })

  test('one node runs the source and all show its prices; without the bus they read the log; when it stops another takes over', async () => {
    const [one, two, three] = [await open(), await open(), await open()]
    expect([one, two, three].map(leads)).toEqual([true, false, false])
    await follows(two)
    await follows(three)
    expect(two.bus.counts().received).toBeGreaterThan(0)
    expect(two.market.depth('BTCUSDT', 20).bids).toHaveLength(20)

    await nats.kill()
    await eventually(() => two.bus.counts().connected).toBe(0)
    await follows(two)
    await nats.start()
    await eventually(() => two.bus.counts().connected).toBe(1)
    const received = two.bus.counts().received
    await eventually(() => two.bus.counts().received).toBeGreaterThan(received)

    await close(one)
    await eventually(() => [two, three].filter(leads).length).toBe(1)
    const [leader, other] = leads(two) ? [two, three] : [three, two]
    await follows(other)
    await leader.market.reads.durable(last(leader).id)
    await leader.market.reads.tickAtOrBefore('BTCUSDT', Date.now())
    expect(await priceBreaches(leader.database)).toEqual([])
  })
})
