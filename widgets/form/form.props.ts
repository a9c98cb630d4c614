import { ref } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const formProps = z.object({
  form: ref('form').describe('id of a form document'),
  inline: z.boolean().optional().describe('one field and the button in one line, as for a message; the label is visually hidden'),
  dense: z.boolean().optional().describe('less room between the fields and smaller names, for a ticket beside its order book'),
  stick: z.boolean().optional().describe('on a phone its button, or its buttons, stay at the bottom of the page, in reach of the thumb'),
})
export type FormProps = z.output<typeof formProps>
