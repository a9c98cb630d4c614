import { text, tone } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const keyValueProps = z.object({
  rows: z
    .array(
      z.object({
        label: text(),
        value: z.string().describe('without any text: a dash'),
        tone: tone().optional(),
        copy: z.boolean().optional(),
        strong: z.boolean().optional().describe('what the others lead to: larger'),
      }),
    )
    .max(40),
})
export type KeyValueProps = z.output<typeof keyValueProps>
