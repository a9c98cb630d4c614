import * as z from 'zod'
import { amountIn, coinCode, decimal, share, symbol, timeMs } from '#contract/fields.ts'

/** Orders, positions and closings of contracts, as calls answer and topics push them. */

export const leverSides = ['long', 'short'] as const
export type LeverSide = (typeof leverSides)[number]
/** entrust → open | cancelled; open → closing → closed. */
export const leverStates = ['entrust', 'open', 'closing', 'closed', 'cancelled'] as const
export type LeverState = (typeof leverStates)[number]
/** The lists in which an order or position appears. */
export const leverLists = ['position', 'entrust', 'history', 'cancelled'] as const
export type LeverList = (typeof leverLists)[number]
/** Words by which rows are asked for: those that they carry, and the lists. */
export const leverStatuses = [...new Set([...leverLists, ...leverStates])]
export type LeverStatus = (typeof leverStatuses)[number]
export const closeReasons = ['user', 'reversed', 'take_profit', 'stop_loss', 'liquidated', 'copied'] as const
export type CloseReason = (typeof closeReasons)[number]
/** Why an order was not filled: the customer took it back, the money did not suffice, or the price was beyond the worst one. */
export const cancelReasons = ['user', 'balance', 'price'] as const

export const side = z.enum(leverSides)
export const lots = decimal({ unit: 'lots' })
export const amount = amountIn('currency_code')
export const price = decimal({ unit: 'price', coin: 'currency_code', per: 'base' })

export const market = {
  match_id: z.int().positive(),
  symbol,
  name: z.string().describe('as shown: BTC/USDT'),
  base: coinCode,
  currency_code: coinCode.describe('quote coin: of margin, fee and profit'),
}

/** One order or position, from the order to its end. */
export const leverRow = z.object({
  id: z.int().positive(),
  ...market,
  status: z.enum(leverStates),
  list: z.enum(leverLists).describe('the status of lever.orderList under which it stands'),
  rev: z.int().positive().describe('grows with each change'),
  side,
  type: z.enum(['market', 'limit']),
  multiple: z.int().positive(),
  lots: lots.describe('ordered, or still open; of a closed one, all that it had'),
  lot_size: decimal({ unit: 'amount', coin: 'base' }),
  price: price.nullable().describe('limit of the order; null for a market order'),
  open_price: price.nullable(),
  margin: amount.describe('in the position now'),
  held: amount.describe('frozen for the order'),
  target_profit_price: price.nullable(),
  stop_loss_price: price.nullable(),
  liquidation_price: price.nullable().describe('null where no price liquidates'),
  closes_at_opening: z.boolean().describe('the first price after the opening of the market closes the position'),
  stop_beyond_liquidation: z.boolean().describe('the stop loss stands beyond the liquidation price and never fires'),
  fee_rate: share,
  maintenance_rate: share,
  overnight_rate: share,
  spread: share,
  mark: price.nullable().describe('last price'),
  unrealised: amount.nullable().describe('profit at the last price; null unless it is open'),
  margin_ratio: decimal({ unit: 'share' }).nullable().describe('equity to maintenance margin; liquidation at 1'),
  profit: amount.describe('realised from the price alone'),
  fee: amount.describe('paid for opening and closing'),
  overnight: amount.describe('paid over night'),
  overnight_open: amount.describe('the part of it for the lots that are open; contract.result asks for it'),
  result: amount.describe('what it has brought so far, after all costs'),
  close_price: price.nullable().describe('of the last closing'),
  exit_price: price.nullable().describe('average of all closings, by their lots'),
  close_reason: z.enum(closeReasons).nullable(),
  cancel_reason: z.enum(cancelReasons).nullable(),
  created: timeMs,
  opened: timeMs.nullable(),
  ended: timeMs.nullable(),
})
export type LeverRow = z.infer<typeof leverRow>

/** One closing of a position or of a part of it. */
export const leverClose = z.object({
  id: z.int().positive(),
  position_id: z.int().positive(),
  ...market,
  side,
  multiple: z.int().positive(),
  lots: lots.describe('closed'),
  lots_left: lots.describe('still open after it'),
  open_price: price,
  price: price.describe('at which it was closed'),
  tick_id: z.int().positive().describe('tick of the log that it was closed at'),
  margin: amount.describe('of these lots'),
  profit: amount.describe('from the price alone'),
  fee: amount.describe('of the closing'),
  open_fee: amount.describe('their part of the fee of opening'),
  overnight: amount.describe('their part of what was paid over night'),
  back: amount.describe('paid to the account'),
  result: amount.describe('back less margin and their parts of the fees: what these lots have brought after all costs'),
  insurance: amount.describe('what a liquidation left to the insurance fund'),
  reason: z.enum(closeReasons),
  opened: timeMs,
  time: timeMs,
})
export type LeverClose = z.infer<typeof leverClose>
