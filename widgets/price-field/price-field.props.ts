import { market, text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const priceFieldProps = z.object({
  placeholder: z.string().optional(),
  unit: text().optional().describe('shown after the value: USDT'),
  symbol: market().describe('its last price and the best prices of its book fill the field at a press'),
})
export type PriceFieldProps = z.output<typeof priceFieldProps>
