import { lazy } from '#renderer/widget-api.ts'
import { SkeletonShape } from '#widgets/parts/look/SkeletonShape.tsx'

const CleanHtml = lazy(
  () => import('#widgets/parts/CleanHtml.tsx'),
  () => <SkeletonShape shape="lines" count={4} />,
)

/** User-written HTML, sanitized before it is shown. */
export function RichHtml({ html }: { html: string }) {
  return <CleanHtml html={html} />
}
