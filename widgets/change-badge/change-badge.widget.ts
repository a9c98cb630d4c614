import { defineWidget } from '#renderer/widget-api.ts'
import { ChangeBadge } from '#widgets/change-badge/ChangeBadge.tsx'
import { changeBadgeProps } from '#widgets/change-badge/change-badge.props.ts'

export const changeBadge = defineWidget({
  type: 'change-badge',
  props: changeBadgeProps,
  states: { loading: 'self', error: 'none' },
  view: ChangeBadge,
})
