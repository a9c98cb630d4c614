import { ref, text, tone } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const iconProps = z.object({
  name: ref('icon'),
  size: z.int().min(12).max(96).optional().describe('px at 100 % text size; 20 unless given'),
  tone: tone().optional(),
  label: text().optional().describe('only where the icon says something that no word beside it says'),
})
export type IconProps = z.output<typeof iconProps>
