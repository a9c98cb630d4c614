import { charactersOf } from '#contract/characters.ts'
import { listMost } from '#contract/fields.ts'

/** Months that statistics of invitations go back. */
export const invitedMonths = listMost.months

/** The last months up to that of `now`, oldest first, as `2026-11` (UTC). */
export function monthsUntil(now: number): string[] {
  const last = new Date(now)
  return Array.from({ length: invitedMonths }, (_, i) => {
    const month = new Date(Date.UTC(last.getUTCFullYear(), last.getUTCMonth() - (invitedMonths - 1 - i), 1))
    return month.toISOString().slice(0, 7)
  })
}

/** Begin of a month of `monthsUntil`, ms UTC. */
export const monthStart = (month: string): number => Date.parse(`${month}-01T00:00:00Z`)

/** A*** : enough for a friend, too little for a stranger. */
export const maskNickname = (nickname: string): string => {
  const [first = ''] = charactersOf(nickname, 1)
  return `${first}***`
}
