import { useIsBeside, type ViewProps } from '#renderer/widget-api.ts'
import styles from '#widgets/page/Page.module.css'
import type { PageProps } from '#widgets/page/page.props.ts'

export function Page({ root, props, slots }: ViewProps<PageProps, never, 'head' | 'body' | 'foot'>) {
  // A window has one main part.
  const Box = useIsBeside() ? 'div' : 'main'
  return (
    <Box {...root} className={styles.page} data-page="">
      {slots.head.count > 0 && <div className={styles.head}>{slots.head.all()}</div>}
      <div className={styles.body} data-pad={props.pad || undefined}>
        {slots.body.all()}
      </div>
      {/* A form may put its buttons here. */}
      <div className={styles.foot} data-foot="">
        {slots.foot.count > 0 && slots.foot.all()}
      </div>
    </Box>
  )
}
