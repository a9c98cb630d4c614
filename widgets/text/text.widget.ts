import { defineWidget } from '#renderer/widget-api.ts'
import { Text } from '#widgets/text/Text.tsx'
import { textProps } from '#widgets/text/text.props.ts'

export const text = defineWidget({
  type: 'text',
  props: textProps,
  states: { loading: 'self', error: 'none' },
  view: Text,
})
