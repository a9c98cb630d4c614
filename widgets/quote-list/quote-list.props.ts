import { text } from '#widgets/parts/props.ts'
import { listing } from '#widgets/parts/rows/listing.ts'
import { z } from '#zod'

export const quoteListProps = z.object({
  rows: z.array(listing).meta({ key: 'symbol' }),
  layout: z.enum(['list', 'cards']).optional().describe('list unless given'),
  star: z.boolean().optional().describe('a star per row; needs favourites'),
  favourites: z.array(z.string()).optional().describe('symbols whose star is lit'),
  spark: z.boolean().optional().describe('a line of the last 24 hours'),
  sortable: z.boolean().optional().describe('buttons that sort by name, price and change'),
  label: text(),
  emptyTitle: text().optional(),
  emptyText: text().optional(),
  emptyAction: text().optional(),
})
export type QuoteListProps = z.output<typeof quoteListProps>
