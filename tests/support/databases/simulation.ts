import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { migrations } from '#api-server/migrations.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { DatabaseOptions } from '#server-kit/db/db.ts'
import { openDatabase } from '#server-kit/db/open-database.ts'
import { isUnavailable } from '#server-kit/http/unavailable.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { productsFor } from '#tests/support/databases/products-stage.ts'
import { openWalletStage, start } from '#tests/support/databases/wallet-stage.ts'
import type { Chance } from '#tests/support/house/sizes.ts'
import type { MoneyCall } from '#tests/support/people/product-calls.ts'
import { type Cable, layCable } from '#tests/support/servers/proxy.ts'

const log = createLog('silent')
/** Calls that leave no event with their key: what a cancelled order of spot trading held goes back when the engine has cancelled it. */
const withoutEvent: readonly MoneyCall[] = ['c2c.cancel', 'c2c.cancelAll']

/** Each way of a node to its database can be cut; a node whose way is cut for good is as good as killed. */
async function openNode(place: Pick<DatabaseOptions, 'dataDir' | 'databaseUrl'>, began: number) {
  const url = new URL(place.databaseUrl!)
  const cable: Cable = await layCable(`http://${url.host}`)
  url.host = new URL(cable.origin).host
  const onFatal = () => {}
  const database = await openDatabase({ dataDir: place.dataDir, databaseUrl: url.href, log, onFatal, migrations })
  const wallet = await openWalletStage({ open: async () => database })
  wallet.later(began - wallet.now())
  const products = await productsFor(wallet, { shared: true })
  await products.lever.lever.start()
  await products.spots[0]!.spot.start()
  return {
    ...products,
    cable,
    /** How far its clock is from that of the simulation. */
    apart: 0,
    later(ms: number): void {
      wallet.later(ms)
      products.lever.later(ms)
    },
    isSource: () => products.lever.market.counts().leading === 1,
    async close(): Promise<void> {
      cable.mend()
      await products.stop()
      await database.close()
      await cable.close()
    },
  }
}
export type SimulatedNode = Awaited<ReturnType<typeof openNode>>

interface Asked {
  name: MoneyCall
  uid: number
  fields: Record<string, string>
  key: string
  at: number
}

/** Several nodes on one database, whose faults are drawn, and a record of what was asked of them and what they answered. */
export async function simulate(place: Pick<DatabaseOptions, 'dataDir' | 'databaseUrl'>, count: number) {
  const straight = await openDatabase({ ...place, log, onFatal: () => {}, migrations })
  let now = start
  const nodes: SimulatedNode[] = []
  const killed: SimulatedNode[] = []
  while (nodes.length < count) nodes.push(await openNode(place, now))
  const [done, refused] = [new Set<string>(), new Set<string>()]
  let unknown: Asked[] = []

  async function put(asked: Asked, node: SimulatedNode): Promise<{ id?: number } | undefined> {
    try {
      const answer = await node.callAt(0, asked.name, asked.uid, asked.fields, asked.key)
      if (!withoutEvent.includes(asked.name)) done.add(asked.key)
      return answer as { id?: number }
    } catch (error) {
      const code = error instanceof ApiProblem ? error.code : undefined
      if (isUnavailable(error) || code === 'outcome_unknown') unknown.push(asked)
      else if (code === undefined) throw error
      else refused.add(asked.key)
    }
  }
  return {
    ...{ nodes, database: straight, done, refused },
    now: () => now,
    /** How many calls wait for an answer. */
    unknown: () => unknown.length,
    ask: (node: SimulatedNode, name: MoneyCall, uid: number, fields: Record<string, string>) =>
      put({ name, uid, fields, key: randomUUID(), at: now }, node),
    /** Asks again what nobody knows the outcome of, once it is older than this. */
    async askAgain(draw: Chance, olderMs: number): Promise<void> {
      const due = unknown.filter(({ at }) => now - at >= olderMs)
      unknown = unknown.filter((asked) => !due.includes(asked))
      await Promise.all(due.map((asked) => put(asked, draw.of(nodes))))
    },
    later(ms: number): void {
      now += ms
      for (const node of nodes) node.later(ms)
    },
    /** Sets how far the clock of a node is from the others. */
    apart(node: SimulatedNode, ms: number): void {
      node.later(ms - node.apart)
      node.apart = ms
    },
    /** The source has a new price, and every node that can has read it. @returns false while no node runs the source */
    async tick(price: string): Promise<boolean> {
      const source = nodes.find((node) => node.isSource())
      if (!source) return false
      try {
        source.lever.tick(price, 'BTCUSDT', 0)
        await source.lever.market.reads.durable(source.lever.market.reads.lastPrice('BTCUSDT')!.tickId)
      } catch {
        // It has lost the source, or its way to the database, just now.
        return false
      }
      await Promise.allSettled(nodes.map((node) => node.lever.market.reads.tickAtOrBefore('BTCUSDT', 0)))
      return true
    },
    /** The leases are taken from those who hold them, and the next one to ask has them. */
    loseLeases: () => sql`update market_lease set holder = 'gone', until = 0`.execute(straight.db),
    /** A node is killed, and another one takes its place. */
    async kill(node: SimulatedNode): Promise<void> {
      node.cable.cut()
      killed.push(node)
      nodes.splice(nodes.indexOf(node), 1, await openNode(place, now))
    },
    /** Money is sound; what was acknowledged has its event, what was refused has none, and nothing has two. */
    async check(): Promise<void> {
      await expectSoundMoney(straight)
      const { rows } = await sql<{ key: string; events: number }>`select key, count(*)::int as events from ledger_event
        where key is not null group by key`.execute(straight.db)
      const events = new Map(rows.map(({ key, events }) => [key, events]))
      expect([...done].filter((key) => events.get(key) !== 1)).toEqual([])
      expect([...refused].filter((key) => events.has(key))).toEqual([])
      expect(rows.filter((row) => row.events !== 1)).toEqual([])
    },
    async close(): Promise<void> {
      for (const node of [...nodes, ...killed]) await node.close()
      await straight.close()
    },
  }
}
