import { useId } from 'react'
import type { ViewProps } from '#renderer/widget-api.ts'
import { classes } from '#widgets/parts/look/classes.ts'
import styles from '#widgets/switch/Switch.module.css'
import type { SwitchProps } from '#widgets/switch/switch.props.ts'

export function Switch({ root, props, emit, busy, enabled }: ViewProps<SwitchProps, 'change'>) {
  const { label, value, note } = props
  const id = useId()
  return (
    <button
      {...root}
      type="button"
      role="switch"
      className={classes('pressable', styles.switch)}
      aria-checked={value}
      aria-labelledby={id}
      aria-describedby={note ? `${id}note` : undefined}
      aria-disabled={busy || undefined}
      disabled={!enabled}
      onClick={busy ? undefined : () => emit('change', !value)}
    >
      <span className={styles.words}>
        <span id={id}>{label}</span>
        {note && (
          <span id={`${id}note`} className={styles.note}>
            {note}
          </span>
        )}
      </span>
      <span className={styles.rail} />
    </button>
  )
}
