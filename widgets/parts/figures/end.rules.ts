export interface EndState {
  /** Rows shown now. */
  count: number
  /** There are further pages. */
  more: boolean
  loading: boolean
  /** The end of the list is near the window. */
  near: boolean
  /** Count at which the next page was asked for last; -1: never, or the end was out of sight since. */
  askedAt: number
}

/** Whether to ask for the next page now: once per count, so that a page that fails does not ask in a circle. */
export function asksForMore({ count, more, loading, near, askedAt }: EndState): boolean {
  return near && more && !loading && count > 0 && askedAt !== count
}
