import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const copyBox = defineWidget({
  type: 'copy-box',
  props: z.object({ label: text(), value: z.string(), note: text().optional() }),
  label: 'label',
  view: lazyView(async () => ({ default: (await import('#widgets/copy-box/CopyBox.tsx')).CopyBox })),
})
