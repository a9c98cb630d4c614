import { z } from '#zod'

export const richTextProps = z.object({
  html: z.string().describe('sanitized before display: text, lists, tables, pictures and http(s) links are kept'),
})
export type RichTextProps = z.output<typeof richTextProps>
