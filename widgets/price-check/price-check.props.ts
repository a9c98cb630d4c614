import { decimal, market, timeMs } from '#widgets/parts/props.ts'
import { z } from '#zod'

const price = () => decimal({ unit: 'price', coin: 'quote', per: 'base' })

export const priceCheckProps = z.object({
  tick: z
    .object({
      tick_id: z.int(),
      symbol: market(),
      price: z.string(),
      size: z.string(),
      time: timeMs(),
      source: z.string(),
      prev_hash: z.string(),
      hash: z.string(),
    })
    .describe('a price of the log, as mic.getOrderDetail and lever.closing have it'),
  rule: z
    .enum(['logged', 'last', 'first'])
    .describe(
      'what is checked of it: that it stands in the log; that it is the last one up to `until`; that it is the first one to reach `level`',
    ),
  until: timeMs().optional().describe('for last'),
  end: z.int().nullable().optional().describe('for last: the last number in the log when it was settled'),
  level: price().nullable().optional().describe('for first'),
  rising: z.boolean().optional().describe('for first: reached from below'),
  since: z.int().nullable().optional().describe('for first: numbers after this one count'),
})
export type PriceCheckProps = z.output<typeof priceCheckProps>
