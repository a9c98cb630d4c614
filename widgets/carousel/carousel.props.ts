import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const carouselProps = z.object({
  label: text(),
  autoplayMs: z.int().min(3_000).max(60_000).optional().describe('time that a slide stays; without it nothing moves by itself'),
})
export type CarouselProps = z.output<typeof carouselProps>
