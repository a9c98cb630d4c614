import type { ViewProps } from '#renderer/widget-api.ts'
import { SkeletonShape, type SkeletonShapeProps } from '#widgets/parts/look/SkeletonShape.tsx'

export function Skeleton({ root, props }: ViewProps<Pick<SkeletonShapeProps, 'shape' | 'count'>>) {
  return <SkeletonShape {...props} root={{ ...root }} />
}
