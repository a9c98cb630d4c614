/** The share to draw, in [0, 1]; 0 for text that is not a number. */
export function filled(ratio: string): number {
  const share = Number(ratio)
  return Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0
}
