import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const quoteRingProps = z.object({
  label: text(),
  text: text().optional().describe('stands beside the ring: the rate'),
  of: z.string().describe('id of the offer: another one begins the ring anew'),
  ms: z.int().min(1_000).max(600_000).meta({ unit: 'ms' }).describe('how long an offer stands, from when it came'),
})
export type QuoteRingProps = z.output<typeof quoteRingProps>
