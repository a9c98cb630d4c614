import { coinCode, decimal, market, share, text, timeMs } from '#widgets/parts/props.ts'
import { z } from '#zod'

const price = () => decimal({ unit: 'price', coin: 'currency_code', per: 'base' })
const amount = () => decimal({ unit: 'amount', coin: 'currency_code' })

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
    .object({
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
      close_price: price().nullable(),
      margin: amount(),
      maintenance_rate: share(),
      result: amount(),
      opened: timeMs().nullable(),
      ended: timeMs().nullable(),
    })
    .describe('a row of lever.orderList or lever.order: an open position or one that was closed'),
})
export type ShareCardProps = z.output<typeof shareCardProps>
export type Trade = ShareCardProps['trade']
