import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

const value = {
  name: z.string().describe('ends the text key of its label: <names>_<name>'),
  choice: z.string().optional().describe('the values have texts, <choices>_<choice>_<value>; empty or absent: they are shown unchanged'),
}
const values = z.array(z.string())

export const differenceProps = z.object({
  caption: text().describe('accessible name'),
  names: z.string().meta({ ref: 'text' }).describe('stem of the labels of values'),
  choices: z.string().meta({ ref: 'text' }).optional().describe('stem of the texts of choices'),
  changes: z
    .array(z.object({ ...value, before: values, after: values }))
    .max(100)
    .optional(),
  before: text().describe('label of what was there before'),
  after: text().describe('label of what is there afterwards'),
  file: z
    .object({ before: z.string().nullable(), after: z.string().nullable() })
    .optional()
    .describe('a text before and after, compared by lines; null: there is none'),
  details: z
    .array(z.object({ ...value, values }))
    .max(100)
    .optional()
    .describe('other values, folded'),
  detailsLabel: text().describe('label of the folded part'),
  open: z.boolean().optional().describe('the folded part is open at first'),
})
export type DifferenceProps = z.output<typeof differenceProps>
