import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { keyValueProps } from '#widgets/key-value/key-value.props.ts'

export const keyValue = defineWidget({
  type: 'key-value',
  props: keyValueProps,
  events: ['copy'],
  view: lazyView(async () => ({ default: (await import('#widgets/key-value/KeyValue.tsx')).KeyValue })),
})
