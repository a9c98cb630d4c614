import { defineWidget } from '#renderer/widget-api.ts'
import { NoticeBar } from '#widgets/notice-bar/NoticeBar.tsx'
import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const noticeBar = defineWidget({
  type: 'notice-bar',
  props: z.object({ items: z.array(z.object({ id: z.union([z.string(), z.number()]), text: z.string() })), label: text() }),
  events: ['press'],
  label: 'label',
  states: { loading: 'none', error: 'none' },
  view: NoticeBar,
})
