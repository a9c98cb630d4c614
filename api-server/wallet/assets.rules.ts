import Big from 'big.js'
import { type AccountKind, accountId, accountKinds } from '#contract/accounts.ts'
import { floorTo, plain } from '#contract/money.ts'

/** Balance of one currency in one account of a customer. */
export interface Held {
  currency: number
  kind: AccountKind
  available: string
  frozen: string
}
export interface Balance {
  available: string
  frozen: string
  total: string
  usd: string
}

/** Decimals of a worth in USD. */
const usdDecimals = 8
const shareDecimals = 4

/** Sum of rows and its worth at a price. Without a price the worth is 0. */
export function balanceOf(rows: readonly Held[], price: string | undefined): Balance {
  const available = rows.reduce((all, row) => all.plus(row.available), new Big(0))
  const frozen = rows.reduce((all, row) => all.plus(row.frozen), new Big(0))
  const total = available.plus(frozen)
  const usd = floorTo(plain(total.times(price ?? '0')), usdDecimals)
  return { available: plain(available), frozen: plain(frozen), total: plain(total), usd }
}

/** The four accounts in their order, each with the sum of its rows. */
export const byAccount = (rows: readonly Held[], price: string | undefined) =>
  accountKinds.map((kind) => ({
    id: accountId(kind),
    kind,
    ...balanceOf(
      rows.filter((row) => row.kind === kind),
      price,
    ),
  }))

/** Share of a part in the whole, 0 to 1; 0 when the whole is 0. */
export const shareOf = (part: string, whole: string): string =>
  new Big(whole).gt(0) ? plain(new Big(part).div(whole).round(shareDecimals, Big.roundHalfUp)) : '0'

/** Sorts by worth, largest first; equal ones keep their order. */
export const byWorth = (a: { usd: string }, b: { usd: string }): number => new Big(b.usd).cmp(a.usd)
