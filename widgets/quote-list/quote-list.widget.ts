import { defineWidget } from '#renderer/widget-api.ts'
import { text } from '#widgets/parts/props.ts'
import { listing } from '#widgets/parts/rows/listing.ts'
import { QuoteList } from '#widgets/quote-list/QuoteList.tsx'
import { z } from '#zod'

export const quoteList = defineWidget({
  type: 'quote-list',
  props: z.object({
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
  }),
  events: ['select', 'star', 'empty'],
  label: 'label',
  states: { loading: 'self', empty: { prop: 'rows', by: 'self' } },
  view: QuoteList,
})
