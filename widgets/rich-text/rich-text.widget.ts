import { defineWidget } from '#renderer/widget-api.ts'
import { RichText } from '#widgets/rich-text/RichText.tsx'
import { z } from '#zod'

export const richText = defineWidget({
  type: 'rich-text',
  props: z.object({ html: z.string().describe('cleaned before it is shown: words, lists, tables, pictures and http(s) links stay') }),
  view: RichText,
})
