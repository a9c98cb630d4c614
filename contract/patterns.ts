/**
 * Patterns that `match` accepts; the contract builds its rules of contacts and amounts on the same ones. Documents cannot define their own,
 * because a pattern is code. Each runs in linear time.
 */
export const patterns = {
  /** The part before the @ has at most 64 characters and dots only between others; the domain has labels of DNS and a top level. */
  email:
    /^(?=.{6,254}$)(?=[^@]{1,64}@)[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+(?:[A-Za-z]{2,63}|[Xx][Nn]--[A-Za-z0-9-]{0,58}[A-Za-z0-9])$/,
  'mobile-cn': /^1[3-9]\d{9}$/,
  url: /^https:\/\/[A-Za-z0-9.-]{1,253}(?::\d{1,5})?(?:[/?#][!-~]{0,1800})?$/,
  digits: /^\d{1,200}$/,
  letters: /^[A-Za-z]{1,200}$/,
  alphanumeric: /^[A-Za-z0-9]{1,200}$/,
  /** Numbers from 1 have at most ten decimals, numbers below 1 at most twenty. */
  amount: /^(?:[1-9]\d{0,19}(?:\.\d{1,10})?|0(?:\.\d{1,20})?)$/,
  /** Letters and digits of any script, single spaces between words, no punctuation. Combining marks belong to letters: Thai needs them. */
  words: /^[\p{L}\p{M}\p{N}]{1,200}(?: [\p{L}\p{M}\p{N}]{1,200}){0,200}$/u,
  mobile: /^\d{5,15}$/,
  /** A time of the day, HH:MM. */
  clock: /^(?:[01]\d|2[0-3]):[0-5]\d$/,
} as const
export type PatternName = keyof typeof patterns
export const patternNames = Object.keys(patterns) as PatternName[]
