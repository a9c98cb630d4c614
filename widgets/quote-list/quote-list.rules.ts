import type { Listing, Quote } from '#contract/calls/market.calls.ts'

export const sortKeys = ['name', 'last', 'change'] as const
type SortKey = (typeof sortKeys)[number]
/** undefined: the order in which the rows came. */
export type Sort = { key: SortKey; falling: boolean } | undefined

/** Names begin at A, figures at the largest; the second press turns round, the third gives back the order in which the rows came. */
export function nextSort(sort: Sort, key: SortKey): Sort {
  const first = key !== 'name'
  if (sort?.key !== key) return { key, falling: first }
  return sort.falling === first ? { key, falling: !first } : undefined
}

/**
 * The rows in the asked order; equal ones keep theirs. Figures compare as exact decimals.
 * @param quoteOf latest quote; a symbol without one counts with the quote of its row
 * @param names compares names as the language does
 */
export function sortListings(
  rows: readonly Listing[],
  sort: Sort,
  quoteOf: (symbol: string) => Quote | undefined,
  names: (a: string, b: string) => number,
): readonly Listing[] {
  if (!sort) return rows
  const { key, falling } = sort
  const sign = falling ? -1 : 1
  if (key === 'name') return [...rows].sort((a, b) => sign * names(a.name, b.name))
  return rows
    .map((row) => ({ row, figure: figureOf((quoteOf(row.symbol) ?? row.quote24h)[key]) }))
    .sort((a, b) => (a.figure === b.figure ? 0 : a.figure < b.figure ? -sign : sign))
    .map(({ row }) => row)
}

/** More decimals than a quote has. */
const decimals = 40

/** A decimal as a whole number, so that two of them compare exactly. */
function figureOf(text: string): bigint {
  const [whole = '', part = ''] = text.split('.')
  return BigInt(whole + part.padEnd(decimals, '0'))
}

/** Same rows in the same order. */
export function sameOrder(a: readonly Listing[], b: readonly Listing[]): boolean {
  return a.length === b.length && a.every((row, i) => row === b[i])
}
