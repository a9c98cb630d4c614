import Big from 'big.js'
import { plain } from '#contract/money.ts'

/** The balances and limits that an order needs to be accepted. */
interface Wanted {
  uid: number
  /** Coin that it holds, and how much of it. */
  currency: number
  held: string
  /** List that it joins, and how many of one customer it takes. */
  list: string
  most: number
}
/** The facts about a customer at the moment of acceptance. */
export interface Means {
  /** Undefined for an account that is not there. */
  status: 'active' | 'frozen' | undefined
  /** How many stand in each list; none in one that is not named. */
  standing: Readonly<Record<string, number>>
}
export type Acceptance = 'accepted' | 'unauthorized' | 'account_frozen' | 'list_full' | 'insufficient_balance'

const nameOf = ({ uid, currency }: Pick<Wanted, 'uid' | 'currency'>) => `${uid} ${currency}`

/** Keeps the balances of customers, less the amounts of orders that were accepted before. */
export function createMeans(
  means: ReadonlyMap<number, Means>,
  available: readonly { uid: number; currency: number; amount: string }[],
): (order: Wanted) => Acceptance {
  const left = new Map(available.map((one) => [nameOf(one), one.amount]))
  const joined = new Map<string, number>()
  /** The first reason that applies is the answer; an order that is refused takes nothing from those after it. */
  return (order) => {
    const { uid, list } = order
    const { status, standing } = means.get(uid) ?? { status: undefined, standing: {} }
    if (status === undefined) return 'unauthorized'
    if (status !== 'active') return 'account_frozen'
    const before = joined.get(`${uid} ${list}`) ?? standing[list] ?? 0
    if (before >= order.most) return 'list_full'
    const rest = new Big(left.get(nameOf(order)) ?? 0).minus(order.held)
    if (rest.lt(0)) return 'insufficient_balance'
    joined.set(`${uid} ${list}`, before + 1)
    left.set(nameOf(order), plain(rest))
    return 'accepted'
  }
}
