import { z } from '#zod'

export const gridProps = z.object({
  columns: z.int().min(1).max(6).optional().describe('2 by default'),
  gap: z.int().min(0).max(48).optional().describe('px; 12 by default'),
})
export type GridProps = z.output<typeof gridProps>
