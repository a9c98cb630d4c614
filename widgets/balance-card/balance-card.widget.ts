import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { balanceCardProps } from '#widgets/balance-card/balance-card.props.ts'

export const balanceCard = defineWidget({
  type: 'balance-card',
  props: balanceCardProps,
  events: ['toggle'],
  label: 'label',
  states: { loading: 'self', error: 'card' },
  view: lazyView(async () => ({ default: (await import('#widgets/balance-card/BalanceCard.tsx')).BalanceCard })),
})
