import Big from 'big.js'
import type { LedgerAccount, LedgerEvent, Posting } from '#api-server/ledger/ledger.ts'

/** Rows per account of the platform and currency, so that not everybody waits for one of them. */
export const stripes = 16
/** A line's number must stand in two digits: see `rowId` of ledger.reads.ts. */
export const linesMax = 99

const amountPattern = /^-?(?:0|[1-9]\d{0,19})(?:\.\d{1,18})?$/

/** Name of an account's row. @param stripe which of the platform's rows, 0 to `stripes` - 1 */
export function keyOf(account: LedgerAccount, stripe: number): string {
  if ('uid' in account) return `user:${account.uid}:${account.kind}:${account.part}`
  if ('position' in account) return `position:${account.position}`
  return `${account.platform}#${stripe}`
}

interface Line extends Posting {
  key: string
}

/**
 * Lines of an event in the order in which their rows are locked, which is the same for every event.
 * @throws Error for an event that only a bug can make: fewer than two lines, too many, an amount of 0 or none, a sum that is not 0
 */
export function linesOf({ kind, source, postings }: LedgerEvent, stripe: number): Line[] {
  const wrong = (what: string) => new Error(`${kind} ${source}: ${what}`)
  if (postings.length < 2 || postings.length > linesMax) throw wrong(`${postings.length} lines`)
  const sums = new Map<number, Big>()
  for (const { amount, currency } of postings) {
    if (!amountPattern.test(amount) || new Big(amount).eq(0)) throw wrong(`an amount of ${amount}`)
    sums.set(currency, (sums.get(currency) ?? new Big(0)).plus(amount))
  }
  for (const [currency, sum] of sums) if (!sum.eq(0)) throw wrong(`the lines of currency ${currency} sum to ${sum.toFixed()}`)
  return postings
    .map((posting) => ({ ...posting, key: keyOf(posting.account, stripe) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.currency - b.currency))
}
