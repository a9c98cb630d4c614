import { randomInt } from 'node:crypto'
import { folded } from '#contract/text.ts'
import { totpStep } from '#server-kit/security/totp.ts'

/** Codes that stand in for one code of an authenticator each. Without letters and digits that look alike: 0 and o, 1, i and l. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'

/** As they are kept: without hyphens. */
export const newRecoveryCodes = ({ count, characters }: { count: number; characters: number }): string[] =>
  Array.from({ length: count }, () => Array.from({ length: characters }, () => alphabet[randomInt(alphabet.length)]).join(''))

/** As it is shown: `abcde-fgh23`. */
export const hyphened = (code: string, every: number): string => code.replace(new RegExp(`(.{${every}})(?=.)`, 'g'), '$1-')

/** A recovery code as it is kept, of what was typed; undefined for anything else. Blanks, hyphens, case and width do not count. */
export function readRecoveryCode(text: string, characters: number): string | undefined {
  const code = folded(text).replace(/[\s-]/g, '').toLowerCase()
  return code.length === characters && [...code].every((one) => alphabet.includes(one)) ? code : undefined
}

export interface Factor {
  /** In clear; asked for only when it is needed. */
  secret: () => string
  /** Number of the last step whose code was taken; that one and older ones are refused. 0 for none. */
  lastStep: number
  recoveryCharacters: number
}
/**
 * A second factor that the caller may accept now, with one statement that reports whether the factor was still there: a right code of the
 * authenticator, or a possible recovery code. The callers differ on purpose: a customer's used code stays with its time, an operator's is
 * deleted and stays in the log.
 */
export type TypedFactor = { kind: 'totp'; step: number } | { kind: 'recovery'; code: string }

/** @returns undefined for what is wrong whatever is kept */
export async function judgeFactor(
  typed: string,
  { secret, lastStep, recoveryCharacters }: Factor,
  now: number,
): Promise<TypedFactor | undefined> {
  const code = readRecoveryCode(typed, recoveryCharacters)
  if (code !== undefined) return { kind: 'recovery', code }
  const step = await totpStep(secret, typed, lastStep, now)
  return step === undefined ? undefined : { kind: 'totp', step }
}
