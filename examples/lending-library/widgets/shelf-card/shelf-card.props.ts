import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const shelfCardProps = z.object({ book: z.object({ title: z.string(), author: z.string(), hue: z.int() }), status: text(20) })
export type ShelfCardProps = z.output<typeof shelfCardProps>
