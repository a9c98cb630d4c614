import Big from 'big.js'
import { plain } from '#contract/money.ts'

/** What an order needs to be accepted. */
export interface Wanted {
  uid: number
  /** Coin that it holds, and how much of it. */
  currency: number
  held: string
}
/** What is known of a customer at the moment of acceptance. */
export interface Means {
  /** Undefined for an account that is not there. */
  status: 'active' | 'frozen' | undefined
  openOrders: number
}
export type Acceptance = 'accepted' | 'unauthorized' | 'account_frozen' | 'list_full' | 'insufficient_balance'

const nameOf = ({ uid, currency }: Pick<Wanted, 'uid' | 'currency'>) => `${uid} ${currency}`

/** What customers have, and what orders that were accepted before have left of it. */
export function createMeans(
  means: ReadonlyMap<number, Means>,
  available: readonly { uid: number; currency: number; amount: string }[],
  openOrdersMax: number,
) {
  const left = new Map(available.map((one) => [nameOf(one), one.amount]))
  const open = new Map<number, number>()
  /** The first reason that applies is the answer; an order that is refused takes nothing from those after it. */
  return function accept(order: Wanted): Acceptance {
    const { status, openOrders = 0 } = means.get(order.uid) ?? {}
    if (status === undefined) return 'unauthorized'
    if (status !== 'active') return 'account_frozen'
    const standing = open.get(order.uid) ?? openOrders
    if (standing >= openOrdersMax) return 'list_full'
    const rest = new Big(left.get(nameOf(order)) ?? 0).minus(order.held)
    if (rest.lt(0)) return 'insufficient_balance'
    open.set(order.uid, standing + 1)
    left.set(nameOf(order), plain(rest))
    return 'accepted'
  }
}
