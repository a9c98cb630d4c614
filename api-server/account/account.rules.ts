import { folded } from '#contract/text.ts'

/** Withdrawals wait for so long after a change of password, pay password, second factor, or of a bound address. */
export const withdrawHoldMs = 24 * 3_600_000

/** Invite codes are written without letters that are taken for each other. */
const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
export const inviteCodeLength = 8

/** @param bytes random, one for each character */
export const inviteCodeFrom = (bytes: Uint8Array): string => [...bytes].map((byte) => alphabet[byte % alphabet.length]).join('')

/** The invite code in its stored form: case, width, blanks and hyphens do not count. */
export const canonicalInviteCode = (text: string): string => folded(text).toUpperCase().replace(/[\s-]/g, '')

/** The end of the hold, or null when it is over. */
export const holdUntil = (until: number | null, now: number): number | null => (until !== null && until > now ? until : null)
