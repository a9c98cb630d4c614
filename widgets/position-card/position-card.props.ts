import { coinCode, decimal, market, share, timeMs } from '#widgets/parts/props.ts'
import { z } from '#zod'

const price = () => decimal({ unit: 'price', coin: 'currency_code', per: 'base' })
const amount = () => decimal({ unit: 'amount', coin: 'currency_code' })
const lots = () => decimal({ unit: 'lots' })

export const positionCardProps = z.object({
  position: z
    .object({
      id: z.int(),
      symbol: market(),
      name: z.string(),
      base: coinCode(),
      currency_code: coinCode(),
      list: z.enum(['position', 'entrust', 'history', 'cancelled']),
      side: z.enum(['long', 'short']),
      type: z.enum(['market', 'limit']),
      multiple: z.int(),
      lots: lots(),
      lot_size: decimal({ unit: 'amount', coin: 'base' }),
      price: price().nullable(),
      open_price: price().nullable(),
      exit_price: price().nullable(),
      margin: amount(),
      held: amount(),
      target_profit_price: price().nullable(),
      stop_loss_price: price().nullable(),
      liquidation_price: price().nullable(),
      closes_at_opening: z.boolean(),
      maintenance_rate: share(),
      fee_rate: share(),
      spread: share(),
      fee: amount(),
      overnight: amount(),
      overnight_open: amount(),
      result: amount(),
      close_reason: z.enum(['user', 'reversed', 'take_profit', 'stop_loss', 'liquidated', 'copied']).nullable(),
      cancel_reason: z.enum(['user', 'balance', 'price']).nullable(),
      created: timeMs(),
      opened: timeMs().nullable(),
      ended: timeMs().nullable(),
    })
    .describe('a row of lever.orderList or lever.dealall'),
  compact: z.boolean().optional().describe('a row of the essentials; the rest, and the actions, at a press'),
  tick: price().optional().describe('price step of the symbol'),
})
export type PositionCardProps = z.output<typeof positionCardProps>
export type Position = PositionCardProps['position']
