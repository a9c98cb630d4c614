import { entries, text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const tabBarProps = z.object({ list: entries(12), selected: z.string().optional(), label: text() })
export type TabBarProps = z.output<typeof tabBarProps>
