import { useEffect, useMemo, useState } from 'react'
import type { Listing } from '#contract/calls/market.calls.ts'
import { useLanguage, useQuoteReader } from '#renderer/widget-api.ts'
import { type Sort, sameOrder, sortListings } from '#widgets/quote-list/quote-list.rules.ts'

/** Interval of sorting: a slightly outdated order is better than rows that move under a finger. */
const sortEveryMs = 5_000

/** Creating a collator takes 20 ms on a phone, so it is created only for sorting by name. */
function comparing(tag: string): (a: string, b: string) => number {
  let collator: Intl.Collator | undefined
  return (a, b) => {
    collator ??= new Intl.Collator(tag, { numeric: true })
    return collator.compare(a, b)
  }
}

/** The sorted rows; figures are sorted again every five seconds. The array stays the same while the order does. */
export function useSorted(rows: readonly Listing[], sort: Sort): readonly Listing[] {
  const quoteOf = useQuoteReader()
  const { tag } = useLanguage()
  const names = useMemo(() => comparing(tag), [tag])
  const sorted = useMemo(() => sortListings(rows, sort, quoteOf, names), [rows, sort, quoteOf, names])
  const [fresh, setFresh] = useState<{ of: readonly Listing[]; rows: readonly Listing[] }>()
  const shown = fresh?.of === sorted ? fresh.rows : sorted
  useEffect(() => {
    if (!sort || sort.key === 'name') return
    const timer = setInterval(() => {
      if (document.visibilityState !== 'visible') return
      const next = sortListings(rows, sort, quoteOf, names)
      setFresh((before) => {
        const now = before?.of === sorted ? before.rows : sorted
        return sameOrder(now, next) ? before : { of: sorted, rows: next }
      })
    }, sortEveryMs)
    return () => clearInterval(timer)
  }, [rows, sort, quoteOf, names, sorted])
  return shown
}
