import { useEngineText, type ViewProps } from '#renderer/widget-api.ts'
import styles from '#widgets/key-value/KeyValue.module.css'
import type { KeyValueProps } from '#widgets/key-value/key-value.props.ts'
import { classes } from '#widgets/parts/look/classes.ts'
import { Icon } from '#widgets/parts/look/Icon.tsx'
import { toneClass } from '#widgets/parts/look/tones.ts'

export function KeyValue({ root, props, emit }: ViewProps<KeyValueProps, 'copy'>) {
  const say = useEngineText()
  return (
    <dl {...root} className={styles.rows}>
      {props.rows.map((row) => (
        <div key={row.label} className={styles.row} data-strong={row.strong || undefined}>
          <dt className={styles.label}>{row.label}</dt>
          <dd className={classes(styles.value, toneClass(row.tone))}>
            {row.value || '–'}
            {row.copy && row.value && (
              <button
                type="button"
                className={classes('pressable', styles.copy)}
                aria-label={say('widget.copy', { label: row.label })}
                onClick={() => emit('copy', row.value)}
              >
                <Icon name="copy" size={16} />
              </button>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
