import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const imageFieldProps = z.object({
  purpose: z.string().optional().describe('what the picture is for, as the upload takes it'),
  capture: z.enum(['environment', 'user']).optional().describe('a phone opens its camera at once'),
  prompt: text().optional(),
})
export type ImageFieldProps = z.output<typeof imageFieldProps>
