import { useEntries, type ViewProps } from '#renderer/widget-api.ts'
import { EntryLink } from '#widgets/parts/EntryLink.tsx'
import { classes } from '#widgets/parts/look/classes.ts'
import { Icon } from '#widgets/parts/look/Icon.tsx'
import styles from '#widgets/tab-bar/TabBar.module.css'
import type { TabBarProps } from '#widgets/tab-bar/tab-bar.props.ts'

export function TabBar({ root, props }: ViewProps<TabBarProps>) {
  const entries = useEntries(props.list)
  return (
    <nav {...root} className={styles.bar} data-bar="tabs" aria-label={props.label}>
      <ul className={styles.list}>
        {entries.map((entry) => (
          <li key={entry.id} className={styles.item}>
            <EntryLink entry={entry} current={entry.id === props.selected} className={classes('pressable', styles.tab)}>
              <Icon name={entry.icon} size={22} />
              <span className={styles.label}>{entry.label}</span>
              {entry.badge && <span className={styles.badge}>{entry.badge}</span>}
            </EntryLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
