import { keyOf } from '#api-server/market/sources/noise.rules.ts'
import { type Arrivals, type Bus, createBusOver } from '#server-kit/ops/bus.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { chance } from '#tests/support/house/sizes.ts'

/** In this order, each with the share of messages below which it happens. */
const fates = [
  ['lost', 0.1],
  ['doubled', 0.2],
  ['overtaken', 0.3],
  ['late', 0.4],
  ['arrived', 1],
] as const
type Fate = (typeof fates)[number][0]

/** Longest time that a message is late, in calls of `pass`. */
const lateMost = 3

interface Lane {
  fate(): Fate
  lateBy(): number
  /** Arrives behind the next message of its lane. */
  overtaken: Uint8Array | undefined
}

/**
 * The network between the nodes of one process. A seed draws what happens to the n-th message of a node about a topic on its way to another node: it
 * arrives, is lost, arrives twice, behind the next one, or late.
 */
export function createNetwork(seed: number) {
  const nodes = new Map<string, Arrivals>()
  const cut = new Set<string>()
  const lanes = new Map<string, Lane>()
  const counts: Record<Fate, number> = { lost: 0, doubled: 0, overtaken: 0, late: 0, arrived: 0 }
  let late: { to: string; message: Uint8Array; passes: number }[] = []

  function laneOf(name: string): Lane {
    const known = lanes.get(name)
    if (known) return known
    const draw = chance(keyOf(name, seed))
    const fate = () => {
      const drawn = draw.next()
      return fates.find(([, below]) => drawn < below)![0]
    }
    const lane: Lane = { fate, lateBy: () => 1 + draw.below(lateMost), overtaken: undefined }
    lanes.set(name, lane)
    return lane
  }

  const arrive = (to: string, message: Uint8Array) => setImmediate(() => void (cut.has(to) || nodes.get(to)?.receive(message)))

  function carry(from: string, to: string, topic: string, message: Uint8Array): void {
    const lane = laneOf(`${from} ${to} ${topic}`)
    const fate = lane.fate()
    counts[fate]++
    if (fate === 'overtaken' && !lane.overtaken) {
      lane.overtaken = message
      return
    }
    if (fate === 'late') late.push({ to, message, passes: lane.lateBy() })
    else if (fate !== 'lost') arrive(to, message)
    if (fate === 'doubled') arrive(to, message)
    if (lane.overtaken) arrive(to, lane.overtaken)
    lane.overtaken = undefined
  }

  return {
    /** The bus of a new node. */
    join: (name: string): Promise<Bus> =>
      createBusOver((arrivals) => {
        nodes.set(name, arrivals)
        return {
          isOpen: () => !cut.has(name),
          send(topic, text) {
            const message = Buffer.from(text)
            for (const to of nodes.keys()) if (to !== name) carry(name, to, topic, message)
          },
          close: async () => void nodes.delete(name),
        }
      }, createLog('silent')),
    cut: (name: string) => void cut.add(name),
    mend(name: string): void {
      if (cut.delete(name)) nodes.get(name)?.interrupted()
    },
    /** A node that was killed; nothing is sent to it any more. */
    leave(name: string): void {
      cut.add(name)
      nodes.delete(name)
    },
    /** Time passes: what is late enough arrives. */
    pass(): void {
      for (const one of late) if (--one.passes === 0) arrive(one.to, one.message)
      late = late.filter(({ passes }) => passes > 0)
    },
    /** How many messages each fate has met. */
    counts: () => ({ ...counts }),
  }
}
export type Network = ReturnType<typeof createNetwork>
