import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const areaFieldProps = z.object({ placeholder: text().optional() })
export type AreaFieldProps = z.output<typeof areaFieldProps>
