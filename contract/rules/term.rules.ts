/** Numbers and times of terms, as operators type them. The form of the back office and the server ask the same rule. */

const patterns = {
  decimal: /^(0|[1-9]\d{0,14})(\.\d{1,12})?$/,
  whole: /^(0|[1-9]\d{0,14})$/,
  // Stored as a share, which has two decimals more.
  percent: /^(0|[1-9]\d{0,14})(\.\d{1,10})?$/,
} as const
/** Kinds of members with a rule of their own; `percent` is typed in percent, `time` in UTC as 2026-12-31 08:00. */
export const termKinds = ['decimal', 'whole', 'percent', 'time'] as const
export type TermKind = (typeof termKinds)[number]

const timePattern = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/
/** A time as it is typed, UTC. @param at ms UTC */
export const timeText = (at: number) => new Date(at).toISOString().slice(0, 16).replace('T', ' ')
/** ms UTC; undefined for a text that is no time. */
export function timeOf(text: string): number | undefined {
  const at = timePattern.test(text) ? Date.parse(`${text.replace(' ', 'T')}:00Z`) : Number.NaN
  return Number.isNaN(at) || timeText(at) !== text ? undefined : at
}

const conditions = {
  '>': (a: number, b: number) => a > b,
  '>=': (a: number, b: number) => a >= b,
  '<': (a: number, b: number) => a < b,
  '<=': (a: number, b: number) => a <= b,
} as const

/**
 * Whether a text is a number or a time of a kind, within a range.
 * @param range conditions of a number, all of which hold: `> 0, < 100`; empty: none
 */
export function termFits(kind: TermKind, text: string, range: string): boolean {
  if (kind === 'time') return timeOf(text) !== undefined
  if (!patterns[kind].test(text)) return false
  return range.split(', ').every((condition) => {
    const [sign, bound] = condition.split(' ')
    return !bound || conditions[sign as keyof typeof conditions](Number(text), Number(bound))
  })
}
