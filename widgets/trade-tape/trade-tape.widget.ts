import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { tradeTapeProps } from '#widgets/trade-tape/trade-tape.props.ts'

export const tradeTape = defineWidget({
  type: 'trade-tape',
  props: tradeTapeProps,
  states: { loading: 'self', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/trade-tape/TradeTape.tsx')).TradeTape })),
})
