import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const imageFieldProps = z.object({
  purpose: z.string().optional().describe('purpose of the picture, an argument of the upload call'),
  capture: z.enum(['environment', 'user']).optional().describe('opens the camera of a phone directly: back (environment) or front (user)'),
  prompt: text().optional(),
})
export type ImageFieldProps = z.output<typeof imageFieldProps>
