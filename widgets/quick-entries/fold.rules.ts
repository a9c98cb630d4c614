/** Number of entries shown in two rows of `columns`; the last place is reserved for “more” when not all fit. */
export function shownEntries(count: number, columns: number, open: boolean): number {
  const places = columns * 2
  return open || count <= places ? count : places - 1
}
