/** Widths of a column beside main, in CSS pixels. The style sheet keeps the room of main. */
export const columnPx = { least: 240, usual: 320, most: 560, step: 16 } as const

/** A whole number of pixels within the bounds; what is no number is the usual width. */
export function fitting(width: number | undefined): number {
  if (width === undefined || !Number.isFinite(width)) return columnPx.usual
  return Math.round(Math.min(columnPx.most, Math.max(columnPx.least, width)))
}

/** The width after a key on the handle, which stands at the start of its column; undefined for a key that means nothing there. */
export function widthAfterKey(key: string, width: number): number | undefined {
  switch (key) {
    case 'ArrowLeft':
      return fitting(width + columnPx.step)
    case 'ArrowRight':
      return fitting(width - columnPx.step)
    case 'Home':
      return columnPx.least
    case 'End':
      return columnPx.most
    case 'Enter':
      return columnPx.usual
    default:
      return undefined
  }
}

/** Both widths, one of them changed. */
export const withWidth = (widths: readonly number[], at: number, width: number): number[] =>
  [0, 1].map((each) => fitting(each === at ? width : widths[each]))
