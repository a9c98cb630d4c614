import { defineWidget } from '#renderer/widget-api.ts'
import { TableRow } from '#widgets/table-row/TableRow.tsx'
import { z } from '#zod'

export const tableRow = defineWidget({
  type: 'table-row',
  props: z.object({
    cells: z.array(z.union([z.string(), z.number(), z.null()])).max(12),
    price: z.int().min(0).optional().describe('index of the cell that holds the price'),
  }),
  states: { loading: 'none', error: 'none' },
  view: TableRow,
})
