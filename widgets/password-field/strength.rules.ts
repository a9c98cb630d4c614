import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { commonPasswords, commonWords, keyboard } from '#widgets/password-field/common.ts'

/** 0 is guessed at once, 4 is out of reach. */
export type Strength = 0 | 1 | 2 | 3 | 4

let meter: ZxcvbnFactory | undefined

/** Longer ones are measured by their beginning: the time grows with the square of the length. */
const measuredMax = 64

/**
 * How hard a password is to guess, without leaving the device. Knows keyboards, sequences, repeats, dates, and a short list of common
 * passwords with their usual spellings (p@ssw0rd); the server knows a longer list and decides.
 * @param own words that the guesser knows too: the customer's name or address
 */
export function strengthOf(text: string, own: readonly string[] = []): Strength {
  meter ??= new ZxcvbnFactory({ dictionary: { passwords: commonPasswords(), words: commonWords() }, graphs: { keyboard: keyboard() } })
  return meter.check(text.slice(0, measuredMax), [...own]).score
}
