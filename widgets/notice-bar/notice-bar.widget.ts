import { defineWidget } from '#renderer/widget-api.ts'
import { NoticeBar } from '#widgets/notice-bar/NoticeBar.tsx'
import { noticeBarProps } from '#widgets/notice-bar/notice-bar.props.ts'

export const noticeBar = defineWidget({
  type: 'notice-bar',
  props: noticeBarProps,
  events: ['press'],
  label: 'label',
  states: { loading: 'none', error: 'none' },
  view: NoticeBar,
})
