import { lazy, Suspense } from 'react'
import { SkeletonShape } from '#widgets/parts/SkeletonShape.tsx'

const CleanHtml = lazy(() => import('#widgets/parts/CleanHtml.tsx'))

/** HTML that people wrote, cleaned before it is shown. */
export function RichHtml({ html }: { html: string }) {
  return (
    <Suspense fallback={<SkeletonShape shape="lines" count={4} />}>
      <CleanHtml html={html} />
    </Suspense>
  )
}
