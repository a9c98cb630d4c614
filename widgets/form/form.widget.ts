import { defineWidget, lazyView, loadFormView, unsized } from '#renderer/widget-api.ts'
import { formProps } from '#widgets/form/form.props.ts'

export const form = defineWidget({
  type: 'form',
  props: formProps,
  events: ['done'],
  slots: { before: {}, foot: {}, after: {} },
  states: { loading: 'self', error: 'none' },
  view: lazyView(
    async () => {
      const [{ formOf }, FormView] = await Promise.all([import('#widgets/form/Form.tsx'), loadFormView()])
      return { default: formOf(FormView) }
    },
    () => unsized,
  ),
})
