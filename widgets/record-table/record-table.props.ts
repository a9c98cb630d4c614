import { text, tone } from '#widgets/parts/props.ts'
import { z } from '#zod'

const part = {
  member: z.string().describe('member of the row; of a list each value is shown'),
  kind: z
    .enum(['text', 'amount', 'usd', 'time', 'ago', 'words', 'badge', 'status', 'grouped', 'changes'])
    .optional()
    .describe(
      'format; text by default. status: a status of the contract, shown by its text and tone. grouped: a text whose numbers are grouped, 106,000 USDT. changes: a list of rows {name, before, after}, with `texts` as stem of the names',
    ),
  unit: z.string().optional().describe('member with the unit of an amount'),
  words: z
    .record(z.string(), text())
    .optional()
    .describe('value → label, for text, words and badge; a value without a label is shown unchanged, but in `words` nothing is shown'),
  texts: z
    .string()
    .meta({ ref: 'text' })
    .optional()
    .describe('stem of text keys in place of `words`: a value is shown by the text <stem>_<value>, with _ for signs such as a point'),
  of: z
    .string()
    .optional()
    .describe('member with a part between stem and value, <stem>_<part>_<value>; a row without that part shows the value unchanged'),
  tones: z.record(z.string(), tone()).optional().describe('value → tone of a badge or a text'),
}

export const recordTableProps = z.object({
  caption: text().describe('accessible name of the table'),
  columns: z
    .array(
      z
        .object({
          label: text(24),
          ...part,
          align: z.enum(['start', 'end']).optional(),
          copy: z.boolean().optional().describe('a button that copies the text of the cell'),
          note: z.object(part).meta({ statusOf: 'rows' }).optional().describe('a secondary line below'),
        })
        .meta({ statusOf: 'rows' }),
    )
    .min(1)
    .max(12),
  rows: z.array(z.record(z.string(), z.unknown())),
  rowKey: z.string().optional().describe('member that identifies a row; id by default'),
  total: z.int().min(0).optional().describe('total number of rows'),
  more: z.boolean().optional().describe('there are more pages'),
  loadingMore: z.boolean().optional(),
  emptyTitle: text().optional(),
  emptyText: text().optional(),
})
export type RecordTableProps = z.output<typeof recordTableProps>
