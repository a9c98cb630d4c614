import { coinCode, decimal, market, share, timeMs } from '#widgets/parts/props.ts'
import { z } from '#zod'

const price = () => decimal({ unit: 'price', coin: 'quote', per: 'base' })
const amount = () => decimal({ unit: 'amount', coin: 'currency_code' })

export const optionOrderProps = z.object({
  order: z
    .object({
      id: z.int(),
      symbol: market(),
      name: z.string(),
      base: coinCode(),
      quote: coinCode(),
      tick: price(),
      currency_code: coinCode(),
      scale: z.int(),
      type: z.enum(['up', 'down']),
      seconds: z.int(),
      number: amount(),
      rate: share(),
      open_price: price(),
      expires: timeMs(),
      settle_price: price().nullable(),
      profit: amount(),
      status: z.enum(['holding', 'settling', 'won', 'lost', 'draw', 'void']),
    })
    .describe('a row of mic.orderList'),
})
export type OptionOrderProps = z.output<typeof optionOrderProps>
export type Order = OptionOrderProps['order']
