import { z } from '#zod'

export const splitProps = z.object({
  narrow: z
    .array(z.enum(['main', 'side', 'end', 'below']))
    .max(4)
    .optional()
    .describe('slots from top to bottom where there is no room beside each other; main, side, end, below unless given'),
  pair: z
    .boolean()
    .optional()
    .describe(
      'end and side, which follow each other in `narrow`, stand beside each other on a phone that is wide enough, such as a ticket and its order book',
    ),
  folded: z
    .array(z.enum(['main', 'side', 'end', 'below']))
    .max(4)
    .optional()
    .describe('slots that a phone leaves out for now, such as a chart that a button unfolds'),
  widths: z
    .array(z.number())
    .max(2)
    .optional()
    .describe('widths of side and end beside main, in CSS pixels; with the event `resize`, which says both, they can be dragged'),
})
export type SplitProps = z.output<typeof splitProps>
