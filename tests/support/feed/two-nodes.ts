import { type Changes, createChanges } from '#api-server/feed/changes.ts'
import type { Sessions } from '#api-server/feed/feed-market.ts'
import type { createFakeTime } from '#renderer/feed/feed-fixture.ts'
import { type Bus, createLocalBus } from '#server-kit/ops/bus.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { openStage, type Stage, type StageMarket } from '#tests/support/feed/feed-stage.ts'

type Time = Pick<ReturnType<typeof createFakeTime>, 'now' | 'timers'>

/** Delivers events of one side to the other side later, in the order in which they were handed over. */
function createLane({ now, timers }: Time, lateMs: () => number): (arrive: () => void) => void {
  let last = 0
  return (arrive) => {
    last = Math.max(last, now() + lateMs())
    timers.setTimeout(arrive, last - now())
  }
}

/** Nodes that hear each other late: the messages of each in their order, those of different nodes in any. */
function createLateBus(time: Time, lateMs: () => number): () => Bus {
  const nodes: Bus[] = []
  return () => {
    const own = createLocalBus(createLog('silent'))
    const lanes = new Map<Bus, ReturnType<typeof createLane>>()
    nodes.push(own)
    return {
      ...own,
      shared: true,
      publish(topic, value) {
        own.publish(topic, value)
        for (const other of nodes) {
          if (other === own) continue
          const lane = lanes.get(other) ?? createLane(time, lateMs)
          lanes.set(other, lane)
          lane(() => other.publish(topic, value))
        }
      },
    }
  }
}

/** Tokens are numbers of customers. */
const sessions: Sessions = {
  check: async (token) => ({ uid: token, session: token }),
  alive: async (ids) => new Set(ids),
  listen: () => () => undefined,
}

interface TwoNodes {
  readonly nodes: readonly { readonly stage: Stage; readonly changes: Changes }[]
  /** The first node has the source of prices; the second hears of them late. */
  market(move: (market: StageMarket) => void): void
  end(): Promise<void>
}

/** Two nodes on one database. The timers of their feeds are the test's. */
export async function openTwoNodes(symbols: readonly string[], time: Time, lateMs: () => number): Promise<TwoNodes> {
  const join = createLateBus(time, lateMs)
  const prices = createLane(time, lateMs)
  const nodes = await Promise.all(
    [0, 1].map(async () => {
      const changes = createChanges(join())
      // Clients of one customer share an address and a session.
      const limits = { perAddress: 1_000, perSession: 1_000 }
      return { changes, stage: await openStage(symbols, [], { sessions, changes, limits }) }
    }),
  )
  const [first, second] = nodes.map(({ stage }) => stage.market) as [StageMarket, StageMarket]
  return {
    nodes,
    market(move) {
      move(first)
      prices(() => move(second))
    },
    end: async () => void (await Promise.all(nodes.map(({ stage }) => stage.end()))),
  }
}
