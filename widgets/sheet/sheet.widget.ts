import { defineWidget } from '#renderer/widget-api.ts'
import { Sheet } from '#widgets/sheet/Sheet.tsx'
import { sheetProps } from '#widgets/sheet/sheet.props.ts'

export const sheet = defineWidget({
  type: 'sheet',
  props: sheetProps,
  slots: { body: {} },
  label: 'title',
  states: { loading: 'self', error: 'self' },
  view: Sheet,
})
