import { createStream } from '#api-server/market/noise.rules.ts'

/**
 * How often something is repeated that only shows its faults by chance: what each commit affords, and, with NIGHTLY=1, what is run before a
 * release.
 */
export const sized = (commit: number, nightly: number): number => (process.env.NIGHTLY === '1' ? nightly : commit)

/** What a run draws its chance from; TEST_SEED=… draws the same again. Told on failure by `withSeed`. */
export const testSeed = (): number => Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 2 ** 31))

/** Chance from a seed. */
export interface Chance {
  readonly seed: number
  /** In [0, 1). */
  next(): number
  /** One of them. */
  of<T>(choices: readonly T[]): T
  /** Whole, from 0 to below. */
  below(end: number): number
}
export function chance(seed = testSeed()): Chance {
  const next = createStream(seed)
  const below = (end: number) => Math.floor(next() * end)
  return { seed, next, below, of: (choices) => choices[below(choices.length)]! }
}

/** Runs work whose course follows from a seed, and says which when it fails. */
export async function withSeed<T>({ seed }: { seed: number }, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw new Error(`with TEST_SEED=${seed}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}
