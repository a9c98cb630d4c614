import { defineWidget } from '#renderer/widget-api.ts'
import { Skeleton } from '#widgets/skeleton/Skeleton.tsx'
import { z } from '#zod'

export const skeleton = defineWidget({
  type: 'skeleton',
  props: z.object({ shape: z.enum(['lines', 'row', 'card', 'chart', 'block']).optional(), count: z.int().min(1).max(20).optional() }),
  states: { loading: 'self' },
  view: Skeleton,
})
