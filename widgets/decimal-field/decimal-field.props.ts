import { decimal, text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const decimalFieldProps = z.object({
  placeholder: z.string().optional(),
  prefix: z.string().optional().describe('shown before the value, not part of it'),
  unit: text().optional().describe('shown after the value: USDT'),
  stepper: z.boolean().optional().describe('buttons that add and subtract one step; requires a step'),
  max_button: z.boolean().optional().describe('a button that enters the greatest multiple of the step up to max'),
  most: decimal().optional().describe('upper limit of that button if the field has no max, such as a balance that a rule checks'),
})
export type DecimalFieldProps = z.output<typeof decimalFieldProps>
