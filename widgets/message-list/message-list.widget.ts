import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { messageListProps } from '#widgets/message-list/message-list.props.ts'

export const messageList = defineWidget({
  type: 'message-list',
  props: messageListProps,
  events: ['more'],
  label: 'label',
  states: { loading: 'self', error: 'self', stale: 'badge', empty: { prop: 'messages', by: 'self' } },
  view: lazyView(async () => ({ default: (await import('#widgets/message-list/MessageList.tsx')).MessageList })),
})
