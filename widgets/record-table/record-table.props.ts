import { text, tone } from '#widgets/parts/props.ts'
import { z } from '#zod'

const part = {
  member: z.string().describe('member of the row'),
  kind: z.enum(['text', 'amount', 'usd', 'time', 'ago', 'words', 'badge']).optional().describe('how it is written; text unless given'),
  unit: z.string().optional().describe('member that holds the unit of an amount'),
  words: z
    .record(z.string(), text())
    .optional()
    .describe('value → what people read, in text, words and badge; a value without words stands as it is, but says nothing in `words`'),
  tones: z.record(z.string(), tone()).optional().describe('value → tone, of a badge or a text'),
}

export const recordTableProps = z.object({
  caption: text().describe('names the table to assistive technology'),
  columns: z
    .array(
      z.object({
        label: text(24),
        ...part,
        align: z.enum(['start', 'end']).optional(),
        copy: z.boolean().optional().describe('a button that copies what the cell says'),
        note: z.object(part).optional().describe('a quiet second line'),
      }),
    )
    .min(1)
    .max(12),
  rows: z.array(z.record(z.string(), z.unknown())),
  rowKey: z.string().optional().describe('member that tells rows apart; id unless given'),
  total: z.int().min(0).optional().describe('how many there are in all'),
  more: z.boolean().optional().describe('there are further pages'),
  loadingMore: z.boolean().optional(),
  emptyTitle: text().optional(),
  emptyText: text().optional(),
})
export type RecordTableProps = z.output<typeof recordTableProps>
