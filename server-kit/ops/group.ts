import { ApiProblem } from '#contract/problem.ts'

/** So many wait at most, and each for so long; the database's own limits of waiting are the same. */
export const groupLimits = { waitingMost: 1_000, waitMs: 5_000 } as const

interface Waiting<I, O> {
  item: I
  since: number
  resolve(outcome: O): void
  reject(error: unknown): void
}

/**
 * Does in one go what is asked while an earlier group is being worked on. Nothing waits for others to come: what comes alone is worked on at once,
 * alone.
 * @param most items of a group
 * @param work gives an outcome for each item, in their order; what it throws is the outcome of each
 * @returns asks for an item @throws ApiProblem('busy') when too many wait, or the item waited too long
 */
export function createGroup<I, O>(most: number, work: (items: readonly I[]) => Promise<readonly O[]>): (item: I) => Promise<O> {
  const waiting: Waiting<I, O>[] = []
  let isRunning = false

  async function settle(group: readonly Waiting<I, O>[]): Promise<void> {
    try {
      const outcomes = await work(group.map(({ item }) => item))
      if (outcomes.length !== group.length) throw new Error(`${outcomes.length} outcomes for ${group.length} items`)
      // The next group is on its way before those who asked go on with their outcomes.
      setImmediate(() => {
        for (const [at, { resolve }] of group.entries()) resolve(outcomes[at]!)
      })
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }

  async function run(): Promise<void> {
    isRunning = true
    // Other requests of the same turn of the event loop join this group.
    await new Promise(setImmediate)
    while (waiting.length) {
      const oldest = performance.now() - groupLimits.waitMs
      const group = waiting.splice(0, most)
      for (const { since, reject } of group) if (since < oldest) reject(new ApiProblem('busy'))
      const inTime = group.filter(({ since }) => since >= oldest)
      if (inTime.length) await settle(inTime)
    }
    isRunning = false
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= groupLimits.waitingMost) return reject(new ApiProblem('busy'))
      waiting.push({ item, since: performance.now(), resolve, reject })
      if (!isRunning) void run()
    })
}
