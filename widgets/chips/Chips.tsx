import { useId } from 'react'
import type { ViewProps } from '#renderer/widget-api.ts'
import styles from '#widgets/chips/Chips.module.css'
import type { ChipsProps } from '#widgets/chips/chips.props.ts'
import { classes } from '#widgets/parts/look/classes.ts'
import { Icon } from '#widgets/parts/look/Icon.tsx'

export function Chips({ root, props, emit }: ViewProps<ChipsProps, 'select' | 'clear'>) {
  const { items, label, clear } = props
  const id = useId()
  return (
    <section {...root} className={styles.chips} aria-labelledby={id}>
      <div className={styles.head}>
        <h3 id={id} className={styles.label}>
          {label}
        </h3>
        {clear && items.length > 0 && (
          <button type="button" className={classes('pressable', styles.clear)} onClick={() => emit('clear')}>
            <Icon name="trash-2" size={16} />
            {clear}
          </button>
        )}
      </div>
      {/* biome-ignore lint/a11y/noRedundantRoles: a list without bullets loses its role in Safari */}
      <ul role="list" className={styles.list}>
        {items.map((item) => (
          <li key={item.id}>
            <button type="button" data-key={item.id} className={classes('pressable', styles.chip)} onClick={() => emit('select', item.id)}>
              {item.label}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
