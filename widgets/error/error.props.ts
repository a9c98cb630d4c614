import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const errorProps = z.object({ title: text().optional(), text: text().optional(), code: z.string().optional() })
export type ErrorProps = z.output<typeof errorProps>
