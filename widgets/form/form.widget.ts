import { defineWidget, lazyView, loadFormView } from '#renderer/widget-api.ts'
import { ref } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const form = defineWidget({
  type: 'form',
  props: z.object({
    form: ref('form').describe('id of a form document'),
    inline: z.boolean().optional().describe('its one field and the button in a line: a message; the label is heard and not seen'),
  }),
  events: ['done'],
  slots: { before: {}, foot: {}, after: {} },
  states: { loading: 'self', error: 'none' },
  view: lazyView(async () => {
    const [{ formOf }, FormView] = await Promise.all([import('#widgets/form/Form.tsx'), loadFormView()])
    return { default: formOf(FormView) }
  }),
})
