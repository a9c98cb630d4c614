import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const sectionProps = z.object({ title: text(30).optional(), more: text(24).optional() })
export type SectionProps = z.output<typeof sectionProps>
