import { text } from '#widgets/parts/props.ts'
import { listing } from '#widgets/parts/rows/listing.ts'
import { z } from '#zod'

export const quoteListProps = z.object({
  rows: z.array(listing).meta({ key: 'symbol' }),
  layout: z.enum(['list', 'cards']).optional().describe('list by default'),
  star: z.boolean().optional().describe('a star per row; requires favourites'),
  favourites: z.array(z.string()).optional().describe('symbols marked as favourites'),
  spark: z.boolean().optional().describe('a sparkline of the last 24 hours'),
  sortable: z.boolean().optional().describe('buttons that sort by name, price and change'),
  label: text(),
  emptyTitle: text().optional(),
  emptyText: text().optional(),
  emptyAction: text().optional(),
})
export type QuoteListProps = z.output<typeof quoteListProps>
