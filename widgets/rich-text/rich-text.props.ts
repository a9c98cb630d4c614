import { z } from '#zod'

export const richTextProps = z.object({
  html: z.string().describe('cleaned before it is shown: words, lists, tables, pictures and http(s) links stay'),
})
export type RichTextProps = z.output<typeof richTextProps>
