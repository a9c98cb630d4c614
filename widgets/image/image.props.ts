import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const imageProps = z.object({
  src: z.string(),
  alt: text().describe('alternative text; empty for a decorative picture'),
  ratio: z
    .string()
    .regex(/^\d{1,3}:\d{1,3}$/)
    .optional()
    .describe('width:height; reserves the space while the picture loads'),
  round: z.boolean().optional(),
})
export type ImageProps = z.output<typeof imageProps>
