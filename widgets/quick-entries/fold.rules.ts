/** How many of `count` entries show in two rows of `columns`; the last place is kept for “more” when they do not fit. */
export function shownEntries(count: number, columns: number, open: boolean): number {
  const places = columns * 2
  return open || count <= places ? count : places - 1
}
