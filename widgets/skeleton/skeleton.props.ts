import { z } from '#zod'

export const skeletonProps = z.object({
  shape: z.enum(['lines', 'row', 'card', 'chart', 'plot', 'bar', 'block', 'unsized']).optional(),
  count: z.int().min(1).max(20).optional(),
})
export type SkeletonProps = z.output<typeof skeletonProps>
