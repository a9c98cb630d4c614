import type { Listing, Quote } from '#contract/calls/market.calls.ts'

export const sortKeys = ['name', 'last', 'change'] as const
type SortKey = (typeof sortKeys)[number]
/** undefined for the original order. */
export type Sort = { key: SortKey; falling: boolean } | undefined

/** The first press sorts names from A and figures from the largest; the second reverses; the third restores the original order. */
export function nextSort(sort: Sort, key: SortKey): Sort {
  const first = key !== 'name'
  if (sort?.key !== key) return { key, falling: first }
  return sort.falling === first ? { key, falling: !first } : undefined
}

/**
 * Sorts rows; equal ones keep their order. Figures are compared as exact decimals.
 * @param quoteOf latest quote; without one the quote of the row is used
 * @param names compares names by the rules of the language
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
    .map((row) => ({ row, number: numberOf((quoteOf(row.symbol) ?? row.quote24h)[key]) }))
    .sort((a, b) => (a.number === b.number ? 0 : a.number < b.number ? -sign : sign))
    .map(({ row }) => row)
}

/** More decimals than any quote has. */
const decimals = 40

/** A decimal as an integer for exact comparison. */
function numberOf(text: string): bigint {
  const [whole = '', part = ''] = text.split('.')
  return BigInt(whole + part.padEnd(decimals, '0'))
}

/** Whether two lists have the same rows in the same order. */
export function sameOrder(a: readonly Listing[], b: readonly Listing[]): boolean {
  return a.length === b.length && a.every((row, i) => row === b[i])
}
