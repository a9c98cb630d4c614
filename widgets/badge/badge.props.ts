import { status, text, tone } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const badgeProps = z.object({ text: text(24), tone: tone().optional(), status: status('text', 'tone') })
export type BadgeProps = z.output<typeof badgeProps>
