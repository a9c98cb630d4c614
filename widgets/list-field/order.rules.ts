/** Moves the entry at `from` to `to`; returns the same list when an index is out of range. */
export function moveEntry(list: readonly string[], from: number, to: number): readonly string[] {
  if (from === to || from < 0 || to < 0 || from >= list.length || to >= list.length) return list
  const next = list.toSpliced(from, 1)
  return next.toSpliced(to, 0, list[from]!)
}

/** The value to send: trimmed entries without empty ones. */
export const sent = (list: readonly string[]): string[] => list.map((one) => one.trim()).filter((one) => one !== '')

interface ListOption {
  id: string | number
  label: string
}

/** Options available at a position: those not used elsewhere, and the current one, even if it is no longer an option. */
export function pickable(entries: readonly string[], at: number, options: readonly ListOption[]): { id: string; label: string }[] {
  const own = entries[at] ?? ''
  const free = options.map(({ id, label }) => ({ id: String(id), label })).filter(({ id }) => id === own || !entries.includes(id))
  return own === '' || free.some(({ id }) => id === own) ? free : [{ id: own, label: own }, ...free]
}

/** The chosen ids in the type of the options; numbers stay numbers. */
export const chosen = (entries: readonly string[], options: readonly ListOption[]): (string | number)[] =>
  entries.map((entry) => options.find(({ id }) => String(id) === entry)?.id ?? entry)
