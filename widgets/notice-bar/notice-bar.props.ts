import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const noticeBarProps = z.object({
  items: z.array(z.object({ id: z.union([z.string(), z.number()]), text: z.string() })),
  label: text(),
})
export type NoticeBarProps = z.output<typeof noticeBarProps>
