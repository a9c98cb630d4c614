import { defineWidget } from '#renderer/widget-api.ts'
import { IconView } from '#widgets/icon/IconView.tsx'
import { iconProps } from '#widgets/icon/icon.props.ts'

export const icon = defineWidget({
  type: 'icon',
  props: iconProps,
  states: { loading: 'none', error: 'none' },
  view: IconView,
})
