/** Deterministic pseudo-random numbers: the same key gives the same number on every run. Not for secrets. */

/** Hashes up to four integers to 32 bits. */
export function hash32(a: number, b: number, c = 0, d = 0): number {
  // Mixed at once, so that (a, b) and (b, a) give different results.
  let h = Math.imul(a ^ 0x3c6ef372, 0x9e3779b1)
  for (const part of [b, c, d]) {
    // Times exceed 32 bits, so both halves are mixed in.
    h = Math.imul(h ^ (part | 0), 0x85ebca6b)
    h = Math.imul((h ^ (h >>> 13)) + Math.trunc(part / 4_294_967_296), 0xc2b2ae35)
    h ^= h >>> 16
  }
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d)
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39)
  return (h ^ (h >>> 15)) >>> 0
}

/** Hashes a text and a seed to a key. */
export function keyOf(text: string, seed: number): number {
  let h = 0x811c9dc5 ^ seed
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  return h >>> 0
}

/** Uniform in [0, 1). */
export function uniform(a: number, b: number, c = 0, d = 0): number {
  return hash32(a, b, c, d) / 4_294_967_296
}

/** Normal distribution with mean 0 and standard deviation 1. */
export function gauss(a: number, b: number, c = 0, d = 0): number {
  const first = (hash32(a, b, c, d) + 1) / 4_294_967_297
  const second = uniform(a ^ 0x5bd1e995, b, c, d)
  return Math.sqrt(-2 * Math.log(first)) * Math.cos(2 * Math.PI * second)
}

/** Stream of numbers in [0, 1) with its own state. */
export function createStream(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

export function gaussFrom(next: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
}
