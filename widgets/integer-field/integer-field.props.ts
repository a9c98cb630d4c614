import { decimal, text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const integerFieldProps = z.object({
  placeholder: z.string().optional(),
  prefix: z.string().optional().describe('stands before the entry and is no part of it'),
  unit: text().optional().describe('stands behind the entry: days'),
  stepper: z.boolean().optional().describe('buttons for one step more and less'),
  max_button: z.boolean().optional().describe('a button that enters the greatest multiple of the step up to max'),
  most: decimal().optional().describe('what that button goes up to where no max binds: a balance that a rule speaks of'),
})
export type IntegerFieldProps = z.output<typeof integerFieldProps>
