import Big from 'big.js'
import type { Posting } from '#api-server/ledger/ledger.ts'
import type { SpotMarket } from '#api-server/spot/market.rules.ts'
import { spotCost } from '#contract/functions/spot.cost.function.ts'
import { spotFee } from '#contract/functions/spot.fee.function.ts'
import { less, plain, sum } from '#contract/money.ts'

/** One side of a fill. The house has no order: it trades out of the platform's account `convert`, and pays no fee. */
export interface FillSide {
  uid: number
  /** Limit of a buyer, whose order holds that price; null: it holds what it spends. */
  limit: string | null
  /** Share that the side pays, as maker or taker. */
  rate: string
  /** Share that its order pays at most: that of a taker. */
  rateMost: string
  /** The amount that the order received before, and its fees. */
  received: string
  paid: string
}
export interface FilledMatch {
  price: string
  quantity: string
  buyer: FillSide | undefined
  seller: FillSide | undefined
}
export interface Settlement {
  value: string
  buyerFee: string
  sellerFee: string
  postings: Posting[]
}

/** Spot is traded from this account. */
export const spotAccount = 'change'

/**
 * The fee of a side on what a fill brings. Each fee is rounded up, so the fees of many small fills could exceed the fee on the whole, which is what
 * the customer was shown. Together they never do.
 */
function feeOf({ rate, rateMost, received, paid }: FillSide, amount: string, scale: number): string {
  const alone = new Big(spotFee.run({ amount, rate, scale }))
  const left = new Big(spotFee.run({ amount: sum(received, amount), rate: rateMost, scale })).minus(paid)
  return plain(alone.lte(left) ? alone : left.gt(0) ? left : new Big(0))
}

/**
 * Returns the amounts that move when two orders meet: each coin at the maker's price, the fee on the received amount, and the amount that a
 * buyer's limit held above the price.
 */
export function settle({ base, quote }: Pick<SpotMarket, 'base' | 'quote'>, { price, quantity, buyer, seller }: FilledMatch): Settlement {
  const value = spotCost.run({ price, quantity })
  const buyerFee = buyer ? feeOf(buyer, quantity, base.scale) : '0'
  const sellerFee = seller ? feeOf(seller, value, quote.scale) : '0'
  const postings: Posting[] = []
  const post = (account: Posting['account'], currency: number, amount: string) => {
    if (!new Big(amount).eq(0)) postings.push({ account, currency, amount })
  }
  if (buyer) {
    const { uid, limit } = buyer
    const held = limit === null ? value : spotCost.run({ price: limit, quantity })
    post({ uid, kind: spotAccount, part: 'frozen' }, quote.id, `-${held}`)
    post({ uid, kind: spotAccount, part: 'available' }, quote.id, less(held, value))
    post({ uid, kind: spotAccount, part: 'available' }, base.id, less(quantity, buyerFee))
    post({ platform: 'fee' }, base.id, buyerFee)
  } else {
    post({ platform: 'convert' }, base.id, quantity)
    post({ platform: 'convert' }, quote.id, `-${value}`)
  }
  if (seller) {
    const { uid } = seller
    post({ uid, kind: spotAccount, part: 'frozen' }, base.id, `-${quantity}`)
    post({ uid, kind: spotAccount, part: 'available' }, quote.id, less(value, sellerFee))
    post({ platform: 'fee' }, quote.id, sellerFee)
  } else {
    post({ platform: 'convert' }, base.id, `-${quantity}`)
    post({ platform: 'convert' }, quote.id, value)
  }
  return { value, buyerFee, sellerFee, postings }
}
