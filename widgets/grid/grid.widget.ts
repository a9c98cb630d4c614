import { defineWidget } from '#renderer/widget-api.ts'
import { Grid } from '#widgets/grid/Grid.tsx'
import { z } from '#zod'

export const grid = defineWidget({
  type: 'grid',
  props: z.object({
    columns: z.int().min(1).max(6).optional().describe('2 unless given'),
    gap: z.int().min(0).max(48).optional().describe('px; 12 unless given'),
  }),
  slots: { body: {} },
  states: { loading: 'self', error: 'self' },
  view: Grid,
})
