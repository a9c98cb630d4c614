import { status, text, tone } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const keyValueProps = z.object({
  rows: z
    .array(
      z.object({
        label: text(),
        value: z.string().describe('a dash if it is empty'),
        tone: tone().optional(),
        status: status('value', 'tone'),
        copy: z.boolean().optional(),
        strong: z.boolean().optional().describe('larger, for the result of the other values'),
      }),
    )
    .max(40),
})
export type KeyValueProps = z.output<typeof keyValueProps>
