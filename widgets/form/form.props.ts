import { ref } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const formProps = z.object({
  form: ref('form').describe('id of a form document'),
  inline: z.boolean().optional().describe('its one field and the button in a line: a message; the label is heard and not seen'),
})
export type FormProps = z.output<typeof formProps>
