import type { ViewProps } from '#renderer/widget-api.ts'
import { RichHtml } from '#widgets/parts/RichHtml.tsx'
import styles from '#widgets/rich-text/RichText.module.css'
import type { RichTextProps } from '#widgets/rich-text/rich-text.props.ts'

export function RichText({ root, props }: ViewProps<RichTextProps>) {
  return (
    <div {...root} className={styles.text}>
      <RichHtml html={props.html} />
    </div>
  )
}
