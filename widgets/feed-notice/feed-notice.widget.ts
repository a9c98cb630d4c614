import { defineWidget } from '#renderer/widget-api.ts'
import { FeedNotice } from '#widgets/feed-notice/FeedNotice.tsx'
import { feedNoticeProps } from '#widgets/feed-notice/feed-notice.props.ts'

export const feedNotice = defineWidget({
  type: 'feed-notice',
  props: feedNoticeProps,
  events: ['change'],
  states: { loading: 'self', error: 'none' },
  view: FeedNotice,
})
