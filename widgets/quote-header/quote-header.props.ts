import { listing } from '#widgets/parts/rows/listing.ts'
import { z } from '#zod'

export const quoteHeaderProps = z.object({ listing })
export type QuoteHeaderProps = z.output<typeof quoteHeaderProps>
