/** Withdrawals wait for so long after a change of password, pay password, second factor, or of a bound address. */
export const withdrawHoldMs = 24 * 3_600_000

export const profileLimits = { nicknameMin: 2, nicknameMax: 10, signatureMin: 2, signatureMax: 30 } as const

/** Letters of any script with their marks, digits, and single blanks between. */
const plainText = /^[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?: [\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*$/u

/** The name as it is stored, or undefined. Characters are code points. */
export function nicknameOf(text: string): string | undefined {
  const name = text.normalize('NFC')
  const length = [...name].length
  return length >= profileLimits.nicknameMin && length <= profileLimits.nicknameMax && plainText.test(name) ? name : undefined
}

/** As nicknameOf; an empty signature is none. */
export function signatureOf(text: string): string | undefined {
  const line = text.normalize('NFC')
  if (line === '') return ''
  const length = [...line].length
  return length >= profileLimits.signatureMin && length <= profileLimits.signatureMax && plainText.test(line) ? line : undefined
}

/** Invite codes are written without letters that are taken for each other. */
const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
export const inviteCodeLength = 8

/** @param bytes random, one for each character */
export const inviteCodeFrom = (bytes: Uint8Array): string => [...bytes].map((byte) => alphabet[byte % alphabet.length]).join('')

/** What a typed invite code means: case, blanks and hyphens do not count. */
export const canonicalInviteCode = (text: string): string => text.toUpperCase().replace(/[\s-]/g, '')

/** The end of the hold, or null when it is over. */
export const holdUntil = (until: number | null, now: number): number | null => (until !== null && until > now ? until : null)
