import { decimal, market } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const candleChartProps = z.object({
  symbol: market(),
  tick: decimal({ unit: 'price' }).describe('price step, which sets the number of decimals'),
  period: z.enum(['1m', '5m', '15m', '30m', '1h', '4h', '1d', '1w', '1M']),
  mode: z.enum(['candles', 'line']).optional().describe('candles unless given'),
  small: z.boolean().optional().describe('on a phone lower, so that a ticket stands in the same view'),
  volume: z.boolean().optional().describe('bars of the volume below, true unless given'),
  indicators: z
    .array(z.enum(['MA', 'EMA', 'BOLL', 'MACD', 'RSI']))
    .max(5)
    .optional()
    .describe('drawn over the prices, MACD and RSI below them'),
  lines: z
    .array(
      z
        .array(
          z.object({
            id: z.int().describe('of the position or order'),
            kind: z.enum(['entry', 'up', 'down', 'target', 'stop', 'order', 'liquidation']).describe('up and down are entries of options'),
            price: decimal({ unit: 'price' }).nullable().describe('null draws nothing'),
          }),
        )
        .max(100),
    )
    .max(8)
    .optional()
    .describe(
      'prices that matter to the customer, in groups; with the event `line` targets, stops and orders can be moved, and it says {id, kind, price}',
    ),
})
export type CandleChartProps = z.output<typeof candleChartProps>
