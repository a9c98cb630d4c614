import { type KeyboardEvent, useId } from 'react'
import type { ViewProps } from '#renderer/widget-api.ts'
import { classes } from '#widgets/parts/look/classes.ts'
import { nextIndex } from '#widgets/tabs/next.rules.ts'
import styles from '#widgets/tabs/Tabs.module.css'
import type { TabsProps } from '#widgets/tabs/tabs.props.ts'

export function Tabs({ root, props, emit, slots }: ViewProps<TabsProps, 'change', 'panel'>) {
  const { items, value, label } = props
  const id = useId()
  const selected = Math.max(
    0,
    items.findIndex((item) => item.id === value),
  )
  const keys = (event: KeyboardEvent<HTMLDivElement>) => {
    const next = nextIndex(event.key, selected, items.length)
    if (next === undefined) return
    event.preventDefault()
    event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus()
    emit('change', items[next]?.id)
  }
  return (
    <div {...root} className={styles.tabs}>
      <div className={styles.list} role="tablist" aria-label={label} tabIndex={-1} onKeyDown={keys}>
        {items.map((item, i) => (
          <button
            key={item.id}
            type="button"
            role="tab"
            id={`${id}${item.id}`}
            className={classes('pressable', styles.tab)}
            aria-selected={i === selected}
            aria-controls={`${id}panel`}
            tabIndex={i === selected ? 0 : -1}
            onClick={() => item.id !== value && emit('change', item.id)}
          >
            {item.label}
          </button>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a panel without controls must be reachable too */}
      <div role="tabpanel" id={`${id}panel`} aria-labelledby={`${id}${items[selected]?.id}`} tabIndex={0} className={styles.panel}>
        {slots.panel.all()}
      </div>
    </div>
  )
}
