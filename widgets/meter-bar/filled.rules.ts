/** Share to draw, in [0, 1]. Text that is no number draws nothing. */
export function filled(ratio: string): number {
  const share = Number(ratio)
  return Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0
}
