import { defineWidget } from '#renderer/widget-api.ts'
import { Page } from '#widgets/page/Page.tsx'
import { z } from '#zod'

export const page = defineWidget({
  type: 'page',
  props: z.object({ pad: z.boolean().optional() }),
  slots: { head: {}, body: {}, foot: {} },
  states: { loading: 'self', error: 'self' },
  view: Page,
})
