export interface EndState {
  /** Number of rows shown now. */
  count: number
  /** There are further pages. */
  more: boolean
  loading: boolean
  /** The end of the list is near the window. */
  near: boolean
  /** Row count at the last request for a page; -1 when there was none, or the end has been out of view since. */
  askedAt: number
}

/** Whether to request the next page now: once per row count, so that a failing page is not requested in a loop. */
export function asksForMore({ count, more, loading, near, askedAt }: EndState): boolean {
  return near && more && !loading && count > 0 && askedAt !== count
}
