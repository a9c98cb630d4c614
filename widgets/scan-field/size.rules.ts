/** Largest size with the same proportions within a square of `most`; never larger than the original. */
export function fitted(width: number, height: number, most: number): { width: number; height: number } {
  const by = Math.min(1, most / Math.max(width, height, 1))
  return { width: Math.max(1, Math.round(width * by)), height: Math.max(1, Math.round(height * by)) }
}
