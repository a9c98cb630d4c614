import { decimal, text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const sliderFieldProps = z.object({
  unit: text().optional().describe('shown after the value: USDT'),
  most: decimal()
    .optional()
    .describe('end of the track if the field has no max, such as a balance that a rule checks; if both are given, the smaller counts'),
  percent: z.boolean().optional().describe('the track runs from 0 to 100 % of max or most, and stops are percentages'),
  stops: z
    .array(decimal())
    .max(7)
    .optional()
    .describe('buttons below the track; by default both ends, or 0 25 50 75 100 if percent is true'),
  entry: z.boolean().optional().describe('an input box for the same value above the track'),
  stepper: z.boolean().optional().describe('buttons beside that box that add and subtract one step'),
  placeholder: z.string().optional().describe('placeholder of that box'),
  prefix: z.string().optional().describe('shown before the value and the stops: ×'),
})
export type SliderFieldProps = z.output<typeof sliderFieldProps>
