import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { commonPasswords, commonWords, keyboard } from '#widgets/password-field/common.ts'

/** From 0 (guessed at once) to 4 (practically impossible to guess). */
export type Strength = 0 | 1 | 2 | 3 | 4

let meter: ZxcvbnFactory | undefined

/** Only the start of a longer password is measured: the time grows with the square of the length. */
const measuredMax = 64

/**
 * Estimates the strength of a password on the device. It knows keyboard patterns, sequences, repeats, dates, and a short list of common
 * passwords with usual substitutions (p@ssw0rd). The server has a longer list and decides.
 * @param own words that a guesser may know: the customer's name or address
 */
export function strengthOf(text: string, own: readonly string[] = []): Strength {
  meter ??= new ZxcvbnFactory({ dictionary: { passwords: commonPasswords(), words: commonWords() }, graphs: { keyboard: keyboard() } })
  return meter.check(text.slice(0, measuredMax), [...own]).score
}
