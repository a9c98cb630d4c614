import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const sheetProps = z.object({ title: text(48) })
export type SheetProps = z.output<typeof sheetProps>
