import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const carouselProps = z.object({
  label: text(),
  autoplayMs: z.int().min(3_000).max(60_000).optional().describe('time per slide; without it the slides do not advance automatically'),
})
export type CarouselProps = z.output<typeof carouselProps>
