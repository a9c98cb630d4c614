import { decimal, text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const sliderFieldProps = z.object({
  unit: text().optional().describe('stands behind the value: USDT'),
  most: decimal()
    .optional()
    .describe('end of the track where no max binds: a balance that a rule speaks of; the smaller of the two counts'),
  percent: z.boolean().optional().describe('the track is 0 to 100 % of max or most, and the stops are percent'),
  stops: z
    .array(decimal())
    .max(7)
    .optional()
    .describe('values below the track that can be pressed; unless given, both ends, or 0 25 50 75 100 where percent is true'),
  entry: z.boolean().optional().describe('a box above the track where the same value is typed'),
  stepper: z.boolean().optional().describe('buttons beside that box for one step more and less'),
  placeholder: z.string().optional().describe('of that box'),
  prefix: z.string().optional().describe('stands before the value and the stops: ×'),
})
export type SliderFieldProps = z.output<typeof sliderFieldProps>
