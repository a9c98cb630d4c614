import type { DepthLevel } from '#contract/feed.ts'

/** Best level first on both sides. */
export interface Book {
  readonly bids: readonly DepthLevel[]
  readonly asks: readonly DepthLevel[]
}

const gone = '0'

/** Difference of two sides, as total sizes; "0" for a level that was removed. */
export function sideDelta(before: readonly DepthLevel[], after: readonly DepthLevel[]): DepthLevel[] {
  const old = new Map(before)
  const out: DepthLevel[] = []
  for (const [price, size] of after) {
    if (old.get(price) !== size) out.push([price, size])
    old.delete(price)
  }
  for (const price of old.keys()) out.push([price, gone])
  return out
}
