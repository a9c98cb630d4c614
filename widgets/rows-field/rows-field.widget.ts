import { defineWidget, lazyView, loadUseRows } from '#renderer/widget-api.ts'
import { rowsFieldProps } from '#widgets/rows-field/rows-field.props.ts'

export const rowsField = defineWidget({
  type: 'rows-field',
  props: rowsFieldProps,
  states: { loading: 'self', error: 'none' },
  view: lazyView(async () => {
    const [{ rowsFieldOf }, useRows] = await Promise.all([import('#widgets/rows-field/RowsField.tsx'), loadUseRows()])
    return { default: rowsFieldOf(useRows) }
  }),
})
