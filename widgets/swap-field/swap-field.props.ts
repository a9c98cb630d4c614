import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const swapFieldProps = z.object({ placeholder: text().optional() })
export type SwapFieldProps = z.output<typeof swapFieldProps>
