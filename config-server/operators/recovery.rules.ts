import { operatorLimits } from '#config-server/operators/operator.rules.ts'

/** Without letters and digits that look alike: 0 and o, 1, i and l. */
export const recoveryAlphabet = 'abcdefghjkmnpqrstuvwxyz23456789'

/** What the stored MAC of a recovery code is bound to. */
export const recoveryOf = (operator: number) => `console_recovery:${operator}`

/** A recovery code as it is kept, of what was typed; undefined for anything else. Blanks, hyphens and case do not count. */
export function readRecovery(text: string): string | undefined {
  const code = text.replace(/[\s-]/g, '').toLowerCase()
  return code.length === operatorLimits.recoveryCharacters && [...code].every((one) => recoveryAlphabet.includes(one)) ? code : undefined
}
