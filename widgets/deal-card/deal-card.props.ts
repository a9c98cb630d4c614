import { decimal, text } from '#widgets/parts/props.ts'
import { z } from '#zod'

const tone = () => z.enum(['up', 'down']).optional()
/** An amount to draw, and how it is written. */
const drawn = () => z.object({ value: decimal().describe('length of its bar'), text: z.string() })

export const dealCardProps = z.object({
  rates: z
    .array(z.object({ label: text(), value: z.string() }))
    .min(1)
    .max(3)
    .describe('what it earns: per year, for the term'),
  risk: z
    .object({
      level: z.int().min(1).max(5),
      label: text().describe('the level as words: risk level 3 of 5'),
      text: text().describe('one sentence about the worst case'),
    })
    .meta({ risk: true })
    .describe('shown above everything else, as large as the rates'),
  rows: z
    .array(z.object({ label: text(), value: z.string(), other: z.string().optional().describe('shown on press: the time in UTC') }))
    .max(12)
    .optional()
    .describe('what is paid, and when it comes back'),
  outcomesTitle: text().optional(),
  outcomes: z
    .array(z.object({ id: z.string(), label: text(), value: z.string(), tone: tone() }))
    .max(4)
    .optional()
    .describe('every way that it can end, with what is paid back'),
  examples: z
    .object({
      title: text(),
      get: text().describe('name of what the deal pays'),
      hold: text().describe('name of plain holding, beside it'),
      items: z.array(z.object({ id: z.string(), label: text(), get: drawn(), hold: drawn() })).max(5),
    })
    .optional()
    .describe('what is got at example prices and what plain holding would give, drawn to one scale'),
  rule: text().optional().describe('how it is decided'),
})
export type DealCardProps = z.output<typeof dealCardProps>
