import { useId } from 'react'
import { useFormat, type ViewProps } from '#renderer/widget-api.ts'
import { RadioOption } from '#widgets/parts/fields/RadioOption.tsx'
import { classes } from '#widgets/parts/look/classes.ts'
import { Hideable } from '#widgets/parts/values/Hideable.tsx'
import styles from '#widgets/worth-tabs/WorthTabs.module.css'
import type { WorthTabsProps } from '#widgets/worth-tabs/worth-tabs.props.ts'

/** A choice among accounts with their worth. Native radio buttons, as in segmented. */
export function WorthTabs({ root, props, emit, enabled }: ViewProps<WorthTabsProps, 'change'>) {
  const { label, options, value, hidden = false } = props
  const name = useId()
  const format = useFormat()
  return (
    <div {...root} role="radiogroup" aria-label={label} className={styles.tabs}>
      {options.map((option) => (
        <RadioOption
          key={option.id}
          id={option.id}
          on={option.id === value}
          className={styles.tab}
          choose={(id) => emit('change', id)}
          name={name}
          enabled={enabled}
        >
          <span className={styles.name}>{option.label}</span>
          <span className={classes('num', styles.worth)}>
            {option.usd === undefined ? '—' : <Hideable text={format.fiat(option.usd)} hidden={hidden} />}
          </span>
        </RadioOption>
      ))}
    </div>
  )
}
