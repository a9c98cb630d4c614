/** Copies are named after the second in which they were begun, in UTC: `tessera-2026-11-22T15-02-34Z`. */
const pattern = /^tessera-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z$/

export const copyName = (at: number): string => `tessera-${new Date(at).toISOString().slice(0, 19).replace(/:/g, '-')}Z`

/** When a copy was begun, in ms; undefined for a name that is none of ours. */
export function copyTime(name: string): number | undefined {
  const [, day, hours, minutes, seconds] = pattern.exec(name) ?? []
  if (day === undefined) return undefined
  const at = Date.parse(`${day}T${hours}:${minutes}:${seconds}Z`)
  return Number.isNaN(at) ? undefined : at
}

/** So many of the newest stay, and of each day before them the last, for so many days. */
export const keptCopies = { newest: 12, days: 14 } as const

/** @returns names that are no longer needed; what is not named like a copy is never among them */
export function outdatedCopies(names: readonly string[]): string[] {
  const copies = names.filter((name) => copyTime(name) !== undefined).sort((a, b) => copyTime(b)! - copyTime(a)!)
  const days = new Set<string>()
  return copies.filter((name, place) => {
    const [, day = ''] = pattern.exec(name) ?? []
    const isLastOfDay = !days.has(day)
    days.add(day)
    return place >= keptCopies.newest && !(isLastOfDay && days.size <= keptCopies.days)
  })
}
