import Big from 'big.js'
import type { LedgerAccount, LedgerEvent, Posting } from '#api-server/ledger/ledger.ts'

/** Rows of a platform account per currency, so that transactions do not all wait for one row. */
export const stripes = 16
/** The number of a line must fit in two digits: see `rowId` of ledger.reads.ts. */
export const linesMax = 99

const amountPattern = /^-?(?:0|[1-9]\d{0,19})(?:\.\d{1,18})?$/

/** Key of an account's row. @param stripe which row of a platform account, 0 to `stripes` - 1 */
export function keyOf(account: LedgerAccount, stripe: number): string {
  if ('uid' in account) return `user:${account.uid}:${account.kind}:${account.part}`
  if ('position' in account) return `position:${account.position}`
  return `${account.platform}#${stripe}`
}

interface Line extends Posting {
  key: string
  /** Numbers of the event among those that are posted, and of the line in its event, from 1. */
  event: number
  line: number
}

type Row = Pick<Posting, 'account' | 'currency'>

/** Balances of customers first: orders lock them before they know what else they move. */
const rankOf = ({ account }: Row) => ('uid' in account ? 0 : 'position' in account ? 1 : 2)
const byAccount = (a: Row & { key: string }, b: Row & { key: string }) =>
  rankOf(a) - rankOf(b) || (a.key < b.key ? -1 : a.key > b.key ? 1 : a.currency - b.currency)

function checkedPostings({ kind, source, postings }: LedgerEvent): readonly Posting[] {
  const wrong = (what: string) => new Error(`${kind} ${source}: ${what}`)
  if (postings.length < 2 || postings.length > linesMax) throw wrong(`${postings.length} lines`)
  const sums = new Map<number, Big>()
  for (const { amount, currency } of postings) {
    if (!amountPattern.test(amount) || new Big(amount).eq(0)) throw wrong(`an amount of ${amount}`)
    sums.set(currency, (sums.get(currency) ?? new Big(0)).plus(amount))
  }
  for (const [currency, sum] of sums) if (!sum.eq(0)) throw wrong(`the lines of currency ${currency} sum to ${sum.toFixed()}`)
  return postings
}

/**
 * Returns the lines of events in locking order, which is the same for all events and all transactions: customers, positions, the house. Lines of
 * one account stand in the order of the events.
 * @throws Error for an event that only a bug can produce: fewer than two lines, more than `linesMax`, an amount that is 0 or no decimal, a
 * sum other than 0
 */
export function linesOf(events: readonly LedgerEvent[], stripe: number): Line[] {
  const lines = events.flatMap((event, at) =>
    checkedPostings(event)
      .map((posting) => ({ key: keyOf(posting.account, stripe), event: at + 1, ...posting }))
      .sort(byAccount)
      .map((posting, line) => ({ line: line + 1, ...posting })),
  )
  return lines.sort(byAccount)
}

/** Returns the rows of customers' accounts in the order in which `linesOf` has them, each once. */
export function rowsToLock(accounts: readonly Row[]): { key: string; currency: number }[] {
  const rows = accounts.map((row) => ({ key: keyOf(row.account, 0), ...row })).sort(byAccount)
  return rows.filter((row, at) => at === 0 || byAccount(row, rows[at - 1]!) !== 0)
}
