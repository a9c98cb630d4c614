import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const listFieldProps = z.object({ placeholder: text().optional() })
export type ListFieldProps = z.output<typeof listFieldProps>
