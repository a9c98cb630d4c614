import { useId } from 'react'
import type { ViewProps } from '#renderer/widget-api.ts'
import styles from '#widgets/choices/Choices.module.css'
import { classes } from '#widgets/parts/classes.ts'
import { Icon } from '#widgets/parts/Icon.tsx'

interface ChoicesProps {
  options: { id: string; label: string; note?: string }[]
  value: string
  label: string
}

export function Choices({ root, props, emit, enabled }: ViewProps<ChoicesProps, 'change'>) {
  const { options, value, label } = props
  const name = useId()
  return (
    <div {...root} role="radiogroup" aria-label={label} className={styles.choices}>
      {options.map((option) => (
        <label key={option.id} className={classes('pressable', styles.choice)} data-on={option.id === value || undefined}>
          <input
            type="radio"
            className="visually-hidden"
            name={name}
            value={option.id}
            checked={option.id === value}
            disabled={!enabled}
            onChange={() => emit('change', option.id)}
          />
          <span className={styles.words}>
            <span>{option.label}</span>
            {option.note && <span className={styles.note}>{option.note}</span>}
          </span>
          {option.id === value && <Icon name="check" size={20} className={styles.tick} />}
        </label>
      ))}
    </div>
  )
}
