import { coinCode, decimal, market, share, text, timeMs } from '#widgets/parts/props.ts'
import { z } from '#zod'

const price = () => decimal({ unit: 'price', coin: 'currency_code', per: 'base' })
const amount = () => decimal({ unit: 'amount', coin: 'currency_code' })

/** A row of lever.orderList or lever.order. */
const contractTrade = z.object({
  symbol: market(),
  name: z.string(),
  base: coinCode(),
  currency_code: coinCode(),
  list: z.enum(['position', 'entrust', 'history', 'cancelled']),
  side: z.enum(['long', 'short']),
  multiple: z.int(),
  lots: decimal({ unit: 'lots' }),
  lot_size: decimal({ unit: 'amount', coin: 'base' }),
  open_price: price().nullable(),
  exit_price: price().nullable(),
  margin: amount(),
  maintenance_rate: share(),
  fee_rate: share(),
  spread: share(),
  overnight_open: amount(),
  result: amount(),
  opened: timeMs().nullable(),
  ended: timeMs().nullable(),
})
/** A row of mic.orderList or mic.getOrderDetail. */
const optionTrade = z.object({
  symbol: market(),
  name: z.string(),
  base: coinCode(),
  currency_code: coinCode(),
  type: z.enum(['up', 'down']),
  seconds: z.int(),
  number: amount(),
  open_price: price(),
  settle_price: price().nullable(),
  profit: amount(),
  settled: timeMs().nullable(),
})

export const shareCardProps = z.object({
  label: text(),
  brand: text(20).describe('name of the app'),
  invite: text().describe('what the code invites to'),
  code: z.string().describe('invite code of the customer'),
  link: z.string().max(300).describe('content of the QR code'),
  tick: decimal({ unit: 'price' }).optional().describe('price step of the symbol'),
  simulated: z.boolean().optional().describe('prices of the market are simulated; the picture says so'),
  hidden: z.boolean().optional().describe('amounts are hidden at first'),
  trade: z
    .union([contractTrade, optionTrade])
    .describe('a row of lever.orderList or lever.order, open or closed, or a settled option of mic.orderList or mic.getOrderDetail'),
})
export type ShareCardProps = z.output<typeof shareCardProps>
export type Trade = ShareCardProps['trade']
export type ContractTrade = z.output<typeof contractTrade>
export type OptionTrade = z.output<typeof optionTrade>
