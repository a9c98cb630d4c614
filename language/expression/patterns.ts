/**
 * The patterns that `match` may name. Documents cannot bring their own: a pattern is code. Each runs in time linear in the text.
 */
const patterns = {
  email: /^[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}$/,
  'mobile-cn': /^1[3-9]\d{9}$/,
  url: /^https:\/\/[A-Za-z0-9.-]{1,253}(?::\d{1,5})?(?:[/?#][!-~]{0,1800})?$/,
  digits: /^\d{1,200}$/,
  letters: /^[A-Za-z]{1,200}$/,
  alphanumeric: /^[A-Za-z0-9]{1,200}$/,
  /** From one up with at most ten decimals, below one with at most twenty. */
  amount: /^(?:[1-9]\d{0,19}(?:\.\d{1,10})?|0(?:\.\d{1,20})?)$/,
  /** Letters and digits of any script, one blank between words; no signs. Marks belong to letters: Thai needs them. */
  words: /^[\p{L}\p{M}\p{N}]{1,200}(?: [\p{L}\p{M}\p{N}]{1,200}){0,200}$/u,
  mobile: /^\d{5,15}$/,
} as const
export type PatternName = keyof typeof patterns
export const patternNames = Object.keys(patterns) as PatternName[]

export function matches(text: unknown, name: unknown): boolean {
  if (typeof name !== 'string' || !Object.hasOwn(patterns, name)) return false
  const subject = typeof text === 'number' ? String(text) : text
  return typeof subject === 'string' && subject.length <= 2_000 && patterns[name as PatternName].test(subject)
}
