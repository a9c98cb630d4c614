import { z } from '#zod'

export const splitProps = z.object({
  narrow: z
    .array(z.enum(['main', 'side', 'end']))
    .max(3)
    .optional()
    .describe('slots from top to bottom where there is no room beside each other; main, side, end unless given'),
  pair: z
    .boolean()
    .optional()
    .describe('the first two of `narrow` stand beside each other on a phone that is wide enough, such as a ticket and its order book'),
  widths: z
    .array(z.number())
    .max(2)
    .optional()
    .describe('widths of side and end beside main, in CSS pixels; with the event `resize`, which says both, they can be dragged'),
})
export type SplitProps = z.output<typeof splitProps>
