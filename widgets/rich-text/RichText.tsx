import type { ViewProps } from '#renderer/widget-api.ts'
import { RichHtml } from '#widgets/parts/RichHtml.tsx'
import styles from '#widgets/rich-text/RichText.module.css'

export function RichText({ root, props }: ViewProps<{ html: string }>) {
  return (
    <div {...root} className={styles.text}>
      <RichHtml html={props.html} />
    </div>
  )
}
