import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { sessionRowProps } from '#widgets/session-row/session-row.props.ts'

export const sessionRow = defineWidget({
  type: 'session-row',
  props: sessionRowProps,
  events: ['end'],
  states: { loading: 'self', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/session-row/SessionRow.tsx')).SessionRow })),
})
