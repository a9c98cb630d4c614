/** How deep input may nest and how long it may be before a parser or the database sees it. Lengths count UTF-16 units or bytes. */
export const inputLimits = {
  depthMax: 32,
  /**
   * Limits of the JSON that the servers themselves write. A document of 32 levels holds expressions of 16, each of which takes two levels
   * once it is compiled.
   */
  storedDepthMax: 80,
  /** For text that is no JSON: nobody writes so many open brackets, and some parsers overflow on them. */
  bracketsMax: 1_000,
  textLengthMax: 4_194_304,
  bytesMax: 16_777_216,
  sqlLengthMax: 1_048_576,
  sqlDepthMax: 100,
} as const

const quoteSign = 34
const backslash = 92

/**
 * Deepest nesting of [ and { in text that may be JSON; brackets inside quoted strings do not count. Stops counting above `enough`.
 * A scan, not a parser: it answers for broken JSON as well.
 */
export function jsonTextDepth(text: string, enough: number = inputLimits.depthMax): number {
  let depth = 0
  let deepest = 0
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    if (quoted) {
      if (sign === backslash) at++
      else if (sign === quoteSign) quoted = false
    } else if (sign === quoteSign) quoted = true
    else if (sign === 91 || sign === 123) {
      if (++depth > deepest) deepest = depth
      if (deepest > enough) return deepest
    } else if (sign === 93 || sign === 125) depth--
  }
  return deepest
}

/** Deepest nesting of (, [ and { anywhere in a text, quotes or not. */
export function bracketDepth(text: string, enough: number): number {
  let depth = 0
  let deepest = 0
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    if (sign === 40 || sign === 91 || sign === 123) {
      if (++depth > deepest) deepest = depth
      if (deepest > enough) return deepest
    } else if (depth > 0 && (sign === 41 || sign === 93 || sign === 125)) depth--
  }
  return deepest
}

/** True for text that begins as a JSON list or object and nests deeper than `most`. */
export function isTooDeepJson(text: string, most: number = inputLimits.depthMax): boolean {
  const first = text.trimStart()[0]
  return (first === '[' || first === '{') && jsonTextDepth(text, most) > most
}

/** Nesting of a value of lists and plain objects, without recursion; circular values count as too deep. */
export function valueDepth(value: unknown, enough: number = inputLimits.depthMax): number {
  let level: unknown[] = [value]
  for (let depth = 0; ; depth++) {
    const next: unknown[] = []
    for (const item of level) {
      if (typeof item === 'object' && item !== null && !ArrayBuffer.isView(item) && !(item instanceof Date)) {
        next.push(...(Array.isArray(item) ? [item] : [Object.values(item)]))
      }
    }
    if (!next.length) return depth
    if (depth >= enough) return depth + 1
    level = next.flat(1)
  }
}
