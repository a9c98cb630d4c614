import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const dateRangeProps = z.object({
  label: text(),
  fromLabel: text(),
  toLabel: text(),
  from: z.number().nullable().optional().describe('start of the first day in ms; null for no limit'),
  to: z.number().nullable().optional().describe('end of the last day in ms, exclusive; null for no limit'),
})
export type DateRangeProps = z.output<typeof dateRangeProps>
