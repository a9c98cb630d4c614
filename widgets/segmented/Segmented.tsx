import { useId } from 'react'
import type { ViewProps } from '#renderer/widget-api.ts'
import { classes } from '#widgets/parts/classes.ts'
import styles from '#widgets/segmented/Segmented.module.css'

interface SegmentedProps {
  options: { id: string; label: string }[]
  value: string
  label: string
  scroll?: boolean
}

/** Native radio buttons: arrows, names and form behaviour come with them. */
export function Segmented({ root, props, emit, enabled }: ViewProps<SegmentedProps, 'change'>) {
  const { options, value, label, scroll = false } = props
  const name = useId()
  return (
    <div {...root} role="radiogroup" aria-label={label} className={scroll ? styles.line : styles.pill}>
      {options.map((option) => (
        <label key={option.id} className={classes('pressable', styles.option)} data-on={option.id === value || undefined}>
          <input
            type="radio"
            className="visually-hidden"
            name={name}
            value={option.id}
            checked={option.id === value}
            disabled={!enabled}
            onChange={() => emit('change', option.id)}
          />
          <span className={styles.face}>{option.label}</span>
        </label>
      ))}
    </div>
  )
}
