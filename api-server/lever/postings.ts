import Big from 'big.js'
import { freeze, type LedgerAccount, type Posting } from '#api-server/ledger/ledger.ts'
import { plain, product } from '#contract/money.ts'
import type { Settlement } from '#contract/rules/closing.rules.ts'

/** How money moves for contracts: between a customer's lever account, the account of the position, and the house. */

export const leverAccount = 'lever'
interface Whose {
  id: number
  uid: number
  currency: number
}

/** Lines that move nothing are left out. */
function lines(currency: number, moves: readonly (readonly [LedgerAccount, string])[]): Posting[] {
  return moves.filter(([, amount]) => !new Big(amount).eq(0)).map(([account, amount]) => ({ account, currency, amount }))
}
const less = (amount: string) => product(amount, '-1')
const available = (uid: number): LedgerAccount => ({ uid, kind: leverAccount, part: 'available' })
const frozen = (uid: number): LedgerAccount => ({ uid, kind: leverAccount, part: 'frozen' })

export const orderLines = ({ uid, currency }: Whose, held: string): Posting[] => freeze(uid, leverAccount, currency, held)

/** Returns the lines for a change of the amount that a moved order holds. @param more below 0: it is free again */
export const moveLines = ({ uid, currency }: Whose, more: string): Posting[] =>
  lines(currency, [
    [available(uid), less(more)],
    [frozen(uid), more],
  ])

/** Margin and fee are paid; what the order had frozen beyond them is free again, and what is missing is taken. */
export function openLines({ id, uid, currency }: Whose, { margin, fee, held }: { margin: string; fee: string; held: string }): Posting[] {
  const back = plain(new Big(held).minus(margin).minus(fee))
  return lines(currency, [
    [frozen(uid), less(held)],
    [available(uid), back],
    [{ position: id }, margin],
    [{ platform: 'fee' }, fee],
  ])
}
export function closeLines({ id, uid, currency }: Whose, { margin, profit, fee, back, insurance }: Settlement): Posting[] {
  return lines(currency, [
    [{ position: id }, less(margin)],
    [{ platform: 'pnl_contract' }, less(profit)],
    [{ platform: 'fee' }, fee],
    [available(uid), back],
    [{ platform: 'insurance' }, insurance],
  ])
}
export const nightLines = ({ id, currency }: Whose, fee: string): Posting[] =>
  lines(currency, [
    [{ position: id }, less(fee)],
    [{ platform: 'fee' }, fee],
  ])
/** @param amount below 0: taken out of the position */
export const marginLines = ({ id, uid, currency }: Whose, amount: string): Posting[] =>
  lines(currency, [
    [available(uid), less(amount)],
    [{ position: id }, amount],
  ])
