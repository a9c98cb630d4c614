import { ref } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const formProps = z.object({
  form: ref('form').describe('id of a form document'),
  inline: z.boolean().optional().describe('one field and the button in one line, as for a message; the label is visually hidden'),
})
export type FormProps = z.output<typeof formProps>
