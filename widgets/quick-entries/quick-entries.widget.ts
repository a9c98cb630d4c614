import { defineWidget } from '#renderer/widget-api.ts'
import { QuickEntries } from '#widgets/quick-entries/QuickEntries.tsx'
import { quickEntriesProps } from '#widgets/quick-entries/quick-entries.props.ts'

export const quickEntries = defineWidget({
  type: 'quick-entries',
  props: quickEntriesProps,
  label: 'label',
  view: QuickEntries,
})
