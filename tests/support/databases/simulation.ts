import { sql } from 'kysely'
import { runnerLimits } from '#api-server/lever/triggers/runner.ts'
import { migrations } from '#api-server/migrations.ts'
import { spotLimits } from '#api-server/spot/spot.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { DatabaseOptions } from '#server-kit/db/db.ts'
import { openDatabase } from '#server-kit/db/open-database.ts'
import { isUnavailable } from '#server-kit/http/unavailable.ts'
import { leaseLimits } from '#server-kit/ops/lease.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { expectOneEffect, expectSoundMoney } from '#tests/support/audit.ts'
import { productsFor } from '#tests/support/databases/products-stage.ts'
import {
  decisionOf,
  nodeCount,
  type Operation,
  refusedAfterwards,
  type SimulatedCall,
  type Step,
  severalEvents,
  withoutEvent,
} from '#tests/support/databases/simulation-plan.ts'
import { openWalletStage, start } from '#tests/support/databases/wallet-stage.ts'
import { createNetwork, type Network } from '#tests/support/servers/faulty-network.ts'
import { layPostgresCable } from '#tests/support/servers/postgres-cable.ts'

const log = createLog('silent')
/** A key that a node holds that has ended is free after so long. */
const abandonedMs = 31_000
/** The id of something that was never opened, as far as the customer knows. */
const nothing = '999999999'
/** Deposits and withdrawals wait so long for their review, so that customers can cancel meanwhile. */
const reviewedAfterMs = 40_000

const pause = (ms: number) => new Promise((wake) => setTimeout(wake, ms))

/** Leases are short, so that another node takes over within a step or two. */
export async function withShortLeases(work: () => Promise<void>): Promise<void> {
  const [source, contracts, spot] = [leaseLimits, runnerLimits, spotLimits] as unknown as Record<string, number>[]
  const usual = [source, contracts, spot].map((limits) => ({ ...limits }))
  Object.assign(source!, { lengthMs: 1_000, renewEveryMs: 200 })
  Object.assign(contracts!, { leaseMs: 1_000, renewEveryMs: 200, loadRetryMs: 200 })
  Object.assign(spot!, { leaseMs: 1_000, renewEveryMs: 200, lookEveryMs: 50, sweepEveryMs: 200, waitMs: 2_000 })
  try {
    await work()
  } finally {
    for (const [at, limits] of [source, contracts, spot].entries()) Object.assign(limits!, usual[at])
  }
}

/** A node has its own ways to the database and to the bus; one whose ways are cut for good is as good as killed. */
async function openNode(place: Pick<DatabaseOptions, 'dataDir' | 'databaseUrl'>, network: Network, name: string, began: number) {
  const url = new URL(place.databaseUrl!)
  const cable = await layPostgresCable(`http://${url.host}`)
  url.host = new URL(cable.origin).host
  const onFatal = () => {}
  const database = await openDatabase({ dataDir: place.dataDir, databaseUrl: url.href, log, onFatal, migrations })
  const bus = await network.join(name)
  const wallet = await openWalletStage({ open: async () => database })
  wallet.later(began - wallet.now())
  const products = await productsFor(wallet, { bus })
  await products.lever.lever.start()
  await products.spots[0]!.spot.start()
  return {
    ...products,
    cable,
    name,
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
      await bus.close()
      await database.close()
      await cable.close()
    },
  }
}
type SimulatedNode = Awaited<ReturnType<typeof openNode>>

/** An answer, as far as it names what the call has opened. */
type Opened = { id?: number; opened?: { id: number } } | undefined

interface Asked extends Operation {
  uid: number
  at: number
  /** How often it was asked. */
  times: number
}

/** Several nodes on one database, to which a plan is done, and a record of what was asked of them and what they answered. */
export async function simulate(place: Pick<DatabaseOptions, 'dataDir' | 'databaseUrl'>, seed: number) {
  const straight = await openDatabase({ ...place, log, onFatal: () => {}, migrations })
  const network = createNetwork(seed)
  let now = start
  let opened = 0
  const nodes: SimulatedNode[] = []
  const killed: SimulatedNode[] = []
  const another = () => openNode(place, network, `n${++opened}`, now)
  while (nodes.length < nodeCount) nodes.push(await another())
  const [done, refused] = [new Set<string>(), new Set<string>()]
  /** How many calls of each name had an answer other than a refusal. */
  const answered = new Map<SimulatedCall, number>()
  let unknown: Asked[] = []
  const customers: number[] = []
  /** By operation, what it has opened. */
  const ids = new Map<number, string>()
  const record: string[] = []
  let decided = 0
  /** Which call a key belongs to. */
  const names = new Map<string, SimulatedCall>()
  const keyOf = ({ n }: Operation) => `simulation-${seed}-${n}`

  async function put(asked: Asked, fields: Record<string, string>): Promise<void> {
    const { name, uid, n, node, times } = asked
    const key = keyOf(asked)
    try {
      const answer = (await nodes[(node + times) % nodeCount]!.callAt(0, name, uid, fields, key)) as Opened
      if (!withoutEvent.includes(name)) done.add(key)
      const id = answer?.opened?.id ?? answer?.id
      if (id !== undefined) ids.set(n, `${id}`)
      answered.set(name, (answered.get(name) ?? 0) + 1)
    } catch (error) {
      const code = error instanceof ApiProblem ? error.code : undefined
      if (isUnavailable(error) || code === 'outcome_unknown') unknown.push({ ...asked, fields, times: times + 1 })
      else if (code === undefined) throw error
      else if (!refusedAfterwards.includes(name)) refused.add(key)
    }
  }

  /** Each operation of a step has begun when it returns. */
  async function ask(operation: Operation): Promise<void> {
    const { n, node, name, customer, of } = operation
    const fields: Record<string, string> = { ...operation.fields, ...(of !== undefined && { id: ids.get(of) ?? nothing }) }
    names.set(keyOf(operation), name)
    const shown = { ...fields, ...(of !== undefined && { id: `that of ${of}` }) }
    record.push(`${now}: ${n} at node ${node} by customer ${customer}: ${name} ${JSON.stringify(shown)} ${keyOf(operation)}`)
    const [uid, at] = [customers[customer]!, now]
    if (name === 'wallet.exchange') fields.quote_id = await quoteOf(nodes[node]!, uid, fields)
    await put({ ...operation, uid, at, times: 0 }, fields)
  }
  /** Without a quote, such as from a node whose way to the database is cut, the exchange is refused. */
  async function quoteOf(node: SimulatedNode, uid: number, { from_currency_id, to_currency_id }: Record<string, string>): Promise<string> {
    try {
      const pair = { from_currency_id: from_currency_id!, to_currency_id: to_currency_id! }
      return (await node.callAt(0, 'wallet.getExchangeRate', uid, pair)).quote_id
    } catch (error) {
      if (isUnavailable(error) || error instanceof ApiProblem) return 'none'
      throw error
    }
  }

  /** Operators of all nodes work on the same requests. Of two who decide the same one, the second is refused and stops until the next time. */
  async function review({ wallet }: SimulatedNode): Promise<void> {
    for (const type of ['recharge', 'withdraw'] as const) {
      for (const row of await wallet.waiting(type, 10)) {
        if (now - row.created_at < reviewedAfterMs) continue
        await wallet.decide(type, row.id, decisionOf(row))
        decided++
      }
    }
  }

  async function fail({ fault: { what, node, afterMs, lastsMs, apartMs }, commits }: Step): Promise<void> {
    for (const one of commits) record.push(`a commit of node ${one.node} fails ${one.how} it, after ${one.skipped} others`)
    for (const one of commits) nodes[one.node]!.cable.failCommit(one.how, one.skipped)
    record.push(`${what} at node ${node} after ${afterMs} ms, ${what === 'clock' ? apartMs : lastsMs} ms`)
    const at = nodes[node]!
    await pause(afterMs)
    if (what === 'cut') {
      at.cable.cut()
      await pause(lastsMs)
      at.cable.mend()
    } else if (what === 'bus') {
      network.cut(at.name)
      await pause(lastsMs)
      network.mend(at.name)
    } else if (what === 'kill') {
      at.cable.cut()
      network.leave(at.name)
      killed.push(at)
      nodes[node] = await another()
    } else if (what === 'lease') {
      // They are taken from those who hold them, and the next one to ask has them.
      await sql`update lease set holder = 'gone', until = 0`.execute(straight.db)
    } else if (what === 'clock') apart(at, apartMs)
  }
  function apart(node: SimulatedNode, ms: number): void {
    node.later(ms - node.apart)
    node.apart = ms
  }

  const world = {
    nodes,
    database: straight,
    network,
    done,
    refused,
    answered,
    customers,
    record,
    /** How many commits have failed. */
    failedCommits() {
      const all = [...nodes, ...killed].map(({ cable }) => cable.failed())
      return { before: all.reduce((sum, { before }) => sum + before, 0), after: all.reduce((sum, { after }) => sum + after, 0) }
    },
    /** How many decisions of operators there were. */
    decided: () => decided,
    /** How many operations nobody knows the outcome of. */
    unknown: () => unknown.length,
    async step(step: Step): Promise<void> {
      world.later(step.laterMs)
      network.pass()
      await world.tick(String(step.price))
      const asked = step.operations.map(ask)
      await Promise.all([fail(step), ...asked])
      await world.work()
      await world.askAgain()
      await world.check()
    },
    /** Jobs that every node does from time to time; one that is cut off fails. */
    work: () => Promise.allSettled(nodes.flatMap((one) => [one.mic.settle(), one.follow.follows[0]!.pass(), review(one)])),
    /** Asks again what nobody knows the outcome of, once no node holds its key any more. */
    async askAgain(): Promise<void> {
      const due = unknown.filter(({ at }) => now - at >= abandonedMs)
      unknown = unknown.filter((asked) => !due.includes(asked))
      await Promise.all(due.map((asked) => put(asked, asked.fields)))
    },
    later(ms: number): void {
      now += ms
      for (const node of nodes) node.later(ms)
    },
    /** The source has a new price, which is in the log. @returns false while no node runs the source */
    async push(price: string): Promise<boolean> {
      const source = nodes.find((node) => node.isSource())
      if (!source) return false
      try {
        source.lever.tick(price, 'BTCUSDT', 0)
        await source.lever.market.reads.durable(source.lever.market.reads.lastPrice('BTCUSDT')!.tickId)
      } catch {
        // It has lost the source, or its way to the database, just now.
        return false
      }
      return true
    },
    /** The same, and every node that can has read it. */
    async tick(price: string): Promise<boolean> {
      if (!(await world.push(price))) return false
      await Promise.allSettled(nodes.map((node) => node.lever.market.reads.tickAtOrBefore('BTCUSDT', 0)))
      return true
    },
    /** The last price that each node knows. */
    prices: () => nodes.map((node) => node.lever.market.reads.lastPrice('BTCUSDT')?.price),
    /** No fault is left, but for those of the bus. */
    mend(): void {
      for (const node of nodes) {
        node.cable.mend()
        apart(node, 0)
      }
    },
    /** Money is sound; what was acknowledged has its events, what was refused has none, and no call took effect twice. */
    async check(): Promise<void> {
      await expectSoundMoney(straight)
      await expectOneEffect(straight, { done, refused, severalEvents: (key) => severalEvents.includes(names.get(key)!) })
    },
    async close(): Promise<void> {
      for (const node of [...nodes, ...killed]) await node.close()
      await straight.close()
    },
  }
  return world
}
export type Simulation = Awaited<ReturnType<typeof simulate>>
