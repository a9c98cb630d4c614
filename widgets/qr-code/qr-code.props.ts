import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const qrCodeProps = z.object({
  value: z.string().max(2_331).describe('content of the code'),
  label: text(),
  copy: z.boolean().optional().describe('shows the value below the code, with a copy button'),
  save: z.boolean().optional().describe('a button that saves the code as an image file'),
  file: z.string().optional().describe('name of the image file without extension'),
})
export type QrCodeProps = z.output<typeof qrCodeProps>
