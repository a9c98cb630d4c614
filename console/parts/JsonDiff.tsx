import { lazy, Suspense } from 'react'
import { Skeleton } from '#console/parts/EmptyState.tsx'
import type { JsonDiffProps } from '#console/parts/JsonDiffView.tsx'

const View = lazy(() => import('#console/parts/JsonDiffView.tsx'))

/** Two texts side by side with their differences; equal lines are folded. */
export function JsonDiff(props: JsonDiffProps) {
  return (
    <Suspense fallback={<Skeleton rows={3} />}>
      <View {...props} />
    </Suspense>
  )
}
