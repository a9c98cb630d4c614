import { createStream } from '#api-server/market/sources/noise.rules.ts'

/**
 * Sizes of a run: `npm test`, `npm run test:full`, or several times the full size.
 * @param text TEST_FULL: 0 for `npm test`, 1 for `npm run test:full`
 */
export function sizesOf(text = '0') {
  if (!/^\d{1,6}$/.test(text)) throw new Error(`TEST_FULL is a whole number, not "${text}"`)
  const times = Number(text)
  const isFull = times > 0
  return {
    /** Whether the run is `npm run test:full`, of any size. */
    isFull,
    /**
     * Number of repetitions of a test that finds faults by chance. Values that must not grow with TEST_FULL are chosen by `isFull`.
     * @param quick in `npm test` @param full in `npm run test:full`, times TEST_FULL
     */
    sized: (quick: number, full: number): number => (isFull ? full * times : quick),
    /** The first rows of a table in `npm test`, all in `npm run test:full`. */
    firstOf: <T>(rows: readonly T[], quick: number): readonly T[] => (isFull ? rows : rows.slice(0, quick)),
    /** Every n-th row of a table in `npm test`, starting at `start`, all in `npm run test:full`. */
    everyNth: <T>(rows: readonly T[], n: number, start = 0): readonly T[] => (isFull ? rows : rows.filter((_, at) => at % n === start % n)),
  }
}
export const { isFull, sized, firstOf, everyNth } = sizesOf(process.env.TEST_FULL)

/** Whether the run is `npm run test:changed`, which tests the changed screens in every state. */
export const isChanged = process.env.TEST_CHANGED !== undefined

/** Seed of the run; TEST_SEED=… repeats it. `withSeed` prints it on failure. */
export const testSeed = (): number => Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 2 ** 31))

/** Pseudo-random numbers from a seed. */
export interface Chance {
  readonly seed: number
  /** In [0, 1). */
  next(): number
  /** One of the choices. */
  of<T>(choices: readonly T[]): T
  /** An integer from 0 to below `end`. */
  below(end: number): number
}
export function chance(seed = testSeed()): Chance {
  const next = createStream(seed)
  const below = (end: number) => Math.floor(next() * end)
  return { seed, next, below, of: (choices) => choices[below(choices.length)]! }
}

/** Runs work that depends on a seed, and prints the seed on failure. */
export async function withSeed<T>({ seed }: { seed: number }, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw new Error(`with TEST_SEED=${seed}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}
