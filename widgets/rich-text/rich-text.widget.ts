import { defineWidget } from '#renderer/widget-api.ts'
import { RichText } from '#widgets/rich-text/RichText.tsx'
import { richTextProps } from '#widgets/rich-text/rich-text.props.ts'

export const richText = defineWidget({
  type: 'rich-text',
  props: richTextProps,
  view: RichText,
})
