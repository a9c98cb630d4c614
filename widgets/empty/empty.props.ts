import { ref, text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const emptyProps = z.object({ title: text(), text: text().optional(), icon: ref('icon').optional(), action: text(32).optional() })
export type EmptyProps = z.output<typeof emptyProps>
