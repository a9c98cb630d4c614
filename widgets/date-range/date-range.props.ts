import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const dateRangeProps = z.object({
  label: text(),
  fromLabel: text(),
  toLabel: text(),
  from: z.number().nullable().optional().describe('ms where the first day begins; null: open'),
  to: z.number().nullable().optional().describe('ms where the day after the last one begins; null: open'),
})
export type DateRangeProps = z.output<typeof dateRangeProps>
