import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const qrCodeProps = z.object({
  value: z.string().max(2_331).describe('what a camera reads'),
  label: text(),
  copy: z.boolean().optional().describe('shows the value under the code, with a button that copies it'),
  save: z.boolean().optional().describe('a button that saves the code as a picture'),
  file: z.string().optional().describe('name of the picture, without its ending'),
})
export type QrCodeProps = z.output<typeof qrCodeProps>
