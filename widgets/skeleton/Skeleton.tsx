import type { ViewProps } from '#renderer/widget-api.ts'
import { SkeletonShape } from '#widgets/parts/look/SkeletonShape.tsx'
import type { SkeletonProps } from '#widgets/skeleton/skeleton.props.ts'

export function Skeleton({ root, props }: ViewProps<SkeletonProps>) {
  return <SkeletonShape {...props} root={{ ...root }} />
}
