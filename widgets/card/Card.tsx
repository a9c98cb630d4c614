import type { ViewProps } from '#renderer/widget-api.ts'
import styles from '#widgets/card/Card.module.css'
import type { CardProps } from '#widgets/card/card.props.ts'
import { classes } from '#widgets/parts/look/classes.ts'

export function Card({ root, props, emit, busy, enabled, slots }: ViewProps<CardProps, 'press', 'body'>) {
  const { tone = 'default', title, pressable = false } = props
  const body = slots.body.all()
  if (!pressable) {
    return (
      <div {...root} className={classes(styles.card, styles[tone])}>
        {title && <h3 className={styles.title}>{title}</h3>}
        {body}
      </div>
    )
  }
  return (
    <button
      {...root}
      type="button"
      className={classes('pressable', styles.card, styles[tone])}
      disabled={!enabled}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? undefined : () => emit('press')}
    >
      {title && <span className={styles.title}>{title}</span>}
      {body}
    </button>
  )
}
