import { decimal, market } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const candleChartProps = z.object({
  symbol: market(),
  tick: decimal({ unit: 'price' }).describe('price step, which sets the number of decimals'),
  period: z.enum(['1m', '5m', '15m', '30m', '1h', '4h', '1d', '1w', '1M']),
  mode: z.enum(['candles', 'line']).optional().describe('candles by default'),
  volume: z.boolean().optional().describe('volume bars below the chart; true by default'),
})
export type CandleChartProps = z.output<typeof candleChartProps>
