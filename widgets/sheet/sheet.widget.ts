import { defineWidget } from '#renderer/widget-api.ts'
import { text } from '#widgets/parts/props.ts'
import { Sheet } from '#widgets/sheet/Sheet.tsx'
import { z } from '#zod'

export const sheet = defineWidget({
  type: 'sheet',
  props: z.object({ title: text(48) }),
  slots: { body: {} },
  label: 'title',
  states: { loading: 'self', error: 'self' },
  view: Sheet,
})
