import { type ReactNode, useId, useRef } from 'react'
import styles from '#console/parts/layout/Tabs.module.css'
import { classes } from '#widgets/parts/look/classes.ts'

interface Tab<T extends string = string> {
  id: T
  label: ReactNode
  /** Count behind the label. */
  count?: number | undefined
}
interface TabsProps<T extends string> {
  tabs: readonly Tab<T>[]
  chosen: T
  onChoose: (id: T) => void
  label: string
  children: ReactNode
}

/** Tabs with one visible panel; arrow keys, Home and End move between the tabs. */
export function Tabs<T extends string>({ tabs, chosen, onChoose, label, children }: TabsProps<T>) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: React.KeyboardEvent) => {
    const at = tabs.findIndex((tab) => tab.id === chosen)
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    const next = tabs[(to + tabs.length) % tabs.length]
    if (!next) return
    onChoose(next.id)
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus()
  }
  return (
    <>
      <div ref={list} className={styles.list} role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            data-tab={tab.id}
            id={`${id}-${tab.id}`}
            aria-selected={tab.id === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={tab.id === chosen ? 0 : -1}
            className={classes(styles.tab, tab.id === chosen && styles.chosen)}
            onClick={() => onChoose(tab.id)}
          >
            {tab.label}
            {tab.count !== undefined && <span className={styles.count}>{tab.count}</span>}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`} className={styles.panel}>
        {children}
      </div>
    </>
  )
}
