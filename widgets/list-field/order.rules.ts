/** The list with the entry at `from` standing at `to`; the same list when one of them is outside. */
export function moveEntry(list: readonly string[], from: number, to: number): readonly string[] {
  if (from === to || from < 0 || to < 0 || from >= list.length || to >= list.length) return list
  const next = list.toSpliced(from, 1)
  return next.toSpliced(to, 0, list[from]!)
}

/** What is sent: entries without outer blanks, empty ones left out. */
export const sent = (list: readonly string[]): string[] => list.map((one) => one.trim()).filter((one) => one !== '')
