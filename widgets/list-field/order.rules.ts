/** The list with the entry at `from` standing at `to`; the same list when one of them is outside. */
export function moveEntry(list: readonly string[], from: number, to: number): readonly string[] {
  if (from === to || from < 0 || to < 0 || from >= list.length || to >= list.length) return list
  const next = list.toSpliced(from, 1)
  return next.toSpliced(to, 0, list[from]!)
}

/** What is sent: entries without outer blanks, empty ones left out. */
export const sent = (list: readonly string[]): string[] => list.map((one) => one.trim()).filter((one) => one !== '')

interface ListOption {
  id: string | number
  label: string
}

/** What can be picked at a place: options that stand nowhere else, and what stands there, also when it is an option no more. */
export function pickable(entries: readonly string[], at: number, options: readonly ListOption[]): { id: string; label: string }[] {
  const own = entries[at] ?? ''
  const free = options.map(({ id, label }) => ({ id: String(id), label })).filter(({ id }) => id === own || !entries.includes(id))
  return own === '' || free.some(({ id }) => id === own) ? free : [{ id: own, label: own }, ...free]
}

/** Ids as the options have them; a number stays a number. */
export const chosen = (entries: readonly string[], options: readonly ListOption[]): (string | number)[] =>
  entries.map((entry) => options.find(({ id }) => String(id) === entry)?.id ?? entry)
