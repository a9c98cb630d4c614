import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { moneyRowProps } from '#widgets/money-row/money-row.props.ts'

export const moneyRow = defineWidget({
  type: 'money-row',
  props: moneyRowProps,
  events: ['press'],
  label: 'title',
  states: { loading: 'self', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/money-row/MoneyRow.tsx')).MoneyRow })),
})
