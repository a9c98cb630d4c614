import { useId } from 'react'
import type { ViewProps } from '#renderer/widget-api.ts'
import { RadioOption } from '#widgets/parts/RadioOption.tsx'
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
        <RadioOption
          key={option.id}
          id={option.id}
          on={option.id === value}
          className={styles.option}
          choose={(id) => emit('change', id)}
          {...{ name, enabled }}
        >
          <span className={styles.face}>{option.label}</span>
        </RadioOption>
      ))}
    </div>
  )
}
