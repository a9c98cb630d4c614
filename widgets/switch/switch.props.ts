import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const switchProps = z.object({ label: text(36), value: z.boolean(), note: text().optional() })
export type SwitchProps = z.output<typeof switchProps>
