import { defineWidget } from '#renderer/widget-api.ts'
import { Skeleton } from '#widgets/skeleton/Skeleton.tsx'
import { skeletonProps } from '#widgets/skeleton/skeleton.props.ts'

export const skeleton = defineWidget({
  type: 'skeleton',
  props: skeletonProps,
  states: { loading: 'self' },
  view: Skeleton,
})
