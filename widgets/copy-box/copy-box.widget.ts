import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { copyBoxProps } from '#widgets/copy-box/copy-box.props.ts'

export const copyBox = defineWidget({
  type: 'copy-box',
  props: copyBoxProps,
  label: 'label',
  view: lazyView(async () => ({ default: (await import('#widgets/copy-box/CopyBox.tsx')).CopyBox })),
})
