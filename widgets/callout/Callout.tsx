import type { ViewProps } from '#renderer/widget-api.ts'
import styles from '#widgets/callout/Callout.module.css'
import type { CalloutProps } from '#widgets/callout/callout.props.ts'
import { classes } from '#widgets/parts/look/classes.ts'
import { Icon } from '#widgets/parts/look/Icon.tsx'

/** A permanent notice inside the page. */
export function Callout({ root, props }: ViewProps<CalloutProps>) {
  const { text, title, tone = 'info' } = props
  return (
    <div {...root} role="note" className={classes(styles.callout, styles[tone])}>
      <Icon name={tone === 'warn' ? 'triangle-alert' : 'info'} size={18} className={styles.icon} />
      <p className={styles.words}>
        {title && <strong className={styles.title}>{title}</strong>}
        {text}
      </p>
    </div>
  )
}
