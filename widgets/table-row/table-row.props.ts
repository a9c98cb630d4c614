import { z } from '#zod'

export const tableRowProps = z.object({
  cells: z.array(z.union([z.string(), z.number(), z.null()])).max(12),
  price: z.int().min(0).optional().describe('index of the cell with the price'),
})
export type TableRowProps = z.output<typeof tableRowProps>
