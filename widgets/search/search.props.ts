import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const searchProps = z.object({ value: z.string().optional(), placeholder: text(), label: text(), autoFocus: z.boolean().optional() })
export type SearchProps = z.output<typeof searchProps>
