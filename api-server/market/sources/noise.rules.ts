/** Deterministic noise: the same key gives the same number on every run. Not for secrets. */

/** 32 bits out of up to four whole numbers. */
export function hash32(a: number, b: number, c = 0, d = 0): number {
  // Stirred at once, so that (a, b) and (b, a) part ways.
  let h = Math.imul(a ^ 0x3c6ef372, 0x9e3779b1)
  for (const part of [b, c, d]) {
    // Times exceed 32 bits, so both halves take part.
    h = Math.imul(h ^ (part | 0), 0x85ebca6b)
    h = Math.imul((h ^ (h >>> 13)) + Math.trunc(part / 4_294_967_296), 0xc2b2ae35)
    h ^= h >>> 16
  }
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d)
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39)
  return (h ^ (h >>> 15)) >>> 0
}

/** A number of a text, for use as a key. */
export function keyOf(text: string, seed: number): number {
  let h = 0x811c9dc5 ^ seed
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  return h >>> 0
}

/** In [0, 1). */
export function uniform(a: number, b: number, c = 0, d = 0): number {
  return hash32(a, b, c, d) / 4_294_967_296
}

/** Normal with mean 0 and deviation 1. */
export function gauss(a: number, b: number, c = 0, d = 0): number {
  const first = (hash32(a, b, c, d) + 1) / 4_294_967_297
  const second = uniform(a ^ 0x5bd1e995, b, c, d)
  return Math.sqrt(-2 * Math.log(first)) * Math.cos(2 * Math.PI * second)
}

/** A stream of numbers in [0, 1) with a state of its own. */
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
