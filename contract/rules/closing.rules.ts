import Big from 'big.js'
import { contractFee } from '#contract/functions/contract.fee.function.ts'
import { contractNotional } from '#contract/functions/contract.notional.function.ts'
import { contractProfit } from '#contract/functions/contract.profit.function.ts'
import { less, plain, sum } from '#contract/money.ts'

/** The lots of a contract that are open. Decimals are exact text; amounts are in the quote coin. */
export interface OpenLots {
  side: 'long' | 'short'
  lots: string
  lot_size: string
  open_price: string
  margin: string
  fee_rate: string
  /** Paid over night for these lots: what no closing before has taken as its part. */
  overnight: string
}

export interface Settlement {
  /** Of the lots that are closed. */
  margin: string
  /** From the price alone. */
  profit: string
  /** Of the closing. */
  fee: string
  /** Their part of the fee that the opening has cost. */
  openFee: string
  /** Their part of what was paid over night. */
  overnight: string
  back: string
  insurance: string
  /** Of these lots, after all costs. */
  result: string
  /** Of what stays open. */
  lotsLeft: string
  marginLeft: string
}

/**
 * Returns what a closing pays, and what its lots have brought. A loss takes no more than the margin, and the fee no more than what is left then;
 * the insurance fund pays what the margin did not cover, and gets what a liquidation leaves. The parts of all closings of a position add up to
 * what was paid for it: the fee of opening is parted by lots, and so are the nights that are left.
 * @param at `lots` of those that are open, `price` of the closing, `scale`: decimals of the coin
 */
export function settlementOf(
  row: OpenLots,
  { lots, price, liquidated = false, scale }: { lots: string; price: string; liquidated?: boolean; scale: number },
): Settlement {
  const left = less(row.lots, lots)
  const isLast = new Big(left).eq(0)
  const feeAt = (of: string, at: string) =>
    contractFee.run({ notional: contractNotional.run({ lots: of, lot_size: row.lot_size, price: at }), rate: row.fee_rate, scale })
  const margin = isLast ? new Big(row.margin) : new Big(row.margin).times(lots).div(row.lots).round(scale, Big.roundDown)
  const profit = contractProfit.run({ side: row.side, from: row.open_price, to: price, lots, lot_size: row.lot_size, scale })
  const equity = margin.plus(profit)
  const whole = new Big(feeAt(lots, price))
  const fee = equity.lte(0) ? new Big(0) : whole.lt(equity) ? whole : equity
  const rest = equity.minus(fee)
  const isForfeit = liquidated || rest.lt(0)
  const back = isForfeit ? '0' : plain(rest)
  const openFee = less(feeAt(row.lots, row.open_price), feeAt(left, row.open_price))
  const nightsLeft = isLast ? '0' : plain(new Big(row.overnight).times(left).div(row.lots).round(scale, Big.roundUp))
  const overnight = less(row.overnight, nightsLeft)
  return {
    margin: plain(margin),
    profit,
    fee: plain(fee),
    openFee,
    overnight,
    back,
    insurance: isForfeit ? plain(rest) : '0',
    result: closingResult({ back, margin: plain(margin), open_fee: openFee, overnight }),
    lotsLeft: left,
    marginLeft: plain(new Big(row.margin).minus(margin)),
  }
}

/** Returns what closed lots have brought after all costs, from what their closing has paid. */
export const closingResult = ({
  back,
  margin,
  open_fee,
  overnight,
}: Record<'back' | 'margin' | 'open_fee' | 'overnight', string>): string => less(back, sum(margin, open_fee, overnight))
