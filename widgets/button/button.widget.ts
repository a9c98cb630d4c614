import { defineWidget } from '#renderer/widget-api.ts'
import { Button } from '#widgets/button/Button.tsx'
import { buttonProps } from '#widgets/button/button.props.ts'

export const button = defineWidget({
  type: 'button',
  props: buttonProps,
  events: ['press'],
  label: 'label',
  states: { loading: 'self', error: 'none' },
  view: Button,
})
