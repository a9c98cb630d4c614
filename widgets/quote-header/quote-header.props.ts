import { text } from '#widgets/parts/props.ts'
import { listing } from '#widgets/parts/rows/listing.ts'
import { z } from '#zod'

export const quoteHeaderProps = z.object({
  listing,
  compact: z.boolean().optional().describe('on a phone one line: price and change, without the figures of the day'),
  facts: z
    .array(
      z.object({
        id: z.string(),
        label: text(),
        value: z.string(),
        daily: z.boolean().optional().describe('due at 00:00 UTC: the time until then follows the value'),
      }),
    )
    .max(4)
    .optional()
    .describe('more figures after those of the day, such as a fee of the night'),
})
export type QuoteHeaderProps = z.output<typeof quoteHeaderProps>
