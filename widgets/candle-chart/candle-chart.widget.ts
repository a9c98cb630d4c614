import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { decimal, market, text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const candleChart = defineWidget({
  type: 'candle-chart',
  props: z.object({
    symbol: market(),
    tick: decimal({ unit: 'price' }).describe('price step: decides the decimals'),
    period: z.enum(['1m', '5m', '15m', '30m', '1h', '4h', '1d', '1w', '1M']),
    mode: z.enum(['candles', 'line']).optional().describe('candles unless given'),
    volume: z.boolean().optional().describe('bars of the volume below, true unless given'),
    indicators: z
      .array(z.enum(['MA', 'EMA', 'BOLL', 'MACD', 'RSI']))
      .max(5)
      .optional()
      .describe('drawn over the prices, MACD and RSI below them'),
    lines: z
      .array(
        z.object({
          id: z.string(),
          price: decimal({ unit: 'price' }),
          label: text(24),
          tone: z.enum(['up', 'down', 'accent', 'quiet']),
          movable: z.boolean().optional().describe('the customer may drag it; the event `line` says {id, price}'),
        }),
      )
      .max(60)
      .optional()
      .describe('prices that matter to the customer: entries, stops, open orders'),
  }),
  events: ['period', 'mode', 'indicators', 'line'],
  states: { loading: 'self', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/candle-chart/CandleChart.tsx')).CandleChart })),
})
