export const secondFactorLimits = {
  /** A secret that is shown but not confirmed lives so long. */
  setupMs: 15 * 60_000,
  recoveryCodes: 10,
  recoveryCharacters: 10,
} as const

const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'

/** `abcde-fgh23`. @param bytes random, one for each character */
export function recoveryCodeFrom(bytes: Uint8Array): string {
  const text = [...bytes].map((byte) => alphabet[byte % alphabet.length]).join('')
  return `${text.slice(0, text.length / 2)}-${text.slice(text.length / 2)}`
}

/** What was typed as a second factor; undefined for neither. Blanks and hyphens do not count, nor does case. */
export function readFactor(text: string): { kind: 'totp' | 'recovery'; value: string } | undefined {
  const value = text.replace(/[\s-]/g, '').toLowerCase()
  if (/^[0-9]{6}$/.test(value)) return { kind: 'totp', value }
  return /^[a-z0-9]{10}$/.test(value) ? { kind: 'recovery', value } : undefined
}
