import { defineWidget } from '#renderer/widget-api.ts'
import { Badge } from '#widgets/badge/Badge.tsx'
import { badgeProps } from '#widgets/badge/badge.props.ts'

export const badge = defineWidget({
  type: 'badge',
  props: badgeProps,
  states: { loading: 'none', error: 'none' },
  view: Badge,
})
