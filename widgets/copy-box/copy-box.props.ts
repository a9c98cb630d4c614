import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const copyBoxProps = z.object({ label: text(), value: z.string(), note: text().optional() })
export type CopyBoxProps = z.output<typeof copyBoxProps>
