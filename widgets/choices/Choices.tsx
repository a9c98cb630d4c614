import { useId } from 'react'
import type { ViewProps } from '#renderer/widget-api.ts'
import styles from '#widgets/choices/Choices.module.css'
import type { ChoicesProps } from '#widgets/choices/choices.props.ts'
import { RadioOption } from '#widgets/parts/fields/RadioOption.tsx'
import { Icon } from '#widgets/parts/look/Icon.tsx'

export function Choices({ root, props, emit, enabled }: ViewProps<ChoicesProps, 'change'>) {
  const { options, value, label } = props
  const name = useId()
  return (
    <div {...root} role="radiogroup" aria-label={label} className={styles.choices}>
      {options.map((option) => (
        <RadioOption
          key={option.id}
          id={option.id}
          on={option.id === value}
          className={styles.choice}
          choose={(id) => emit('change', id)}
          name={name}
          enabled={enabled}
        >
          <span className={styles.words}>
            <span>{option.label}</span>
            {option.note && <span className={styles.note}>{option.note}</span>}
          </span>
          {option.id === value && <Icon name="check" size={20} className={styles.tick} />}
        </RadioOption>
      ))}
    </div>
  )
}
