import * as z from 'zod'
import { defineWidget } from '#renderer/widget-api.ts'
import { ref, text } from '#widgets/parts/props.ts'
import { Row } from '#widgets/row/Row.tsx'

export const row = defineWidget({
  type: 'row',
  props: z.object({
    title: text(),
    note: text().optional(),
    value: z.string().optional(),
    icon: ref('icon').optional(),
    image: z.string().optional(),
    arrow: z.boolean().optional().describe('false on a row that is not a link: it is drawn as plain text unless `selected` is given'),
    badge: text().optional(),
    selected: z.boolean().optional(),
  }),
  events: ['press'],
  label: 'title',
  view: Row,
})
