import { defineWidget } from '#renderer/widget-api.ts'
import { entries, text } from '#widgets/parts/props.ts'
import { TabBar } from '#widgets/tab-bar/TabBar.tsx'
import { z } from '#zod'

export const tabBar = defineWidget({
  type: 'tab-bar',
  props: z.object({ list: entries(12), selected: z.string().optional(), label: text() }),
  label: 'label',
  view: TabBar,
})
