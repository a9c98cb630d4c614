import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { choicesProps } from '#widgets/choices/choices.props.ts'

export const choices = defineWidget({
  type: 'choices',
  props: choicesProps,
  events: ['change'],
  label: 'label',
  view: lazyView(async () => ({ default: (await import('#widgets/choices/Choices.tsx')).Choices })),
})
