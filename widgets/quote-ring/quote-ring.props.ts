import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const quoteRingProps = z.object({
  label: text(),
  text: text().optional().describe('text beside the ring, such as the rate'),
  of: z.string().describe('id of the offer; a new id restarts the ring'),
  ms: z.int().min(1_000).max(600_000).meta({ unit: 'ms' }).describe('validity of an offer, counted from its arrival'),
})
export type QuoteRingProps = z.output<typeof quoteRingProps>
