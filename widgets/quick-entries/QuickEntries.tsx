import { type CSSProperties, useState } from 'react'
import { useEngineText, useEntries, type ViewProps } from '#renderer/widget-api.ts'
import { EntryLink } from '#widgets/parts/EntryLink.tsx'
import { classes } from '#widgets/parts/look/classes.ts'
import { Icon } from '#widgets/parts/look/Icon.tsx'
import { shownEntries } from '#widgets/quick-entries/fold.rules.ts'
import styles from '#widgets/quick-entries/QuickEntries.module.css'
import type { QuickEntriesProps } from '#widgets/quick-entries/quick-entries.props.ts'

export function QuickEntries({ root, props }: ViewProps<QuickEntriesProps>) {
  const { list, columns = 5, label } = props
  const entries = useEntries(list)
  const say = useEngineText()
  const [open, setOpen] = useState(false)
  const shown = shownEntries(entries.length, columns, open)
  const folds = entries.length > columns * 2
  return (
    <nav {...root} className={styles.entries} aria-label={label}>
      <ul className={styles.grid} style={{ '--columns': columns } as CSSProperties}>
        {entries.slice(0, shown).map((entry) => (
          <li key={entry.id}>
            <EntryLink entry={entry} className={classes('pressable', styles.entry)}>
              <span className={styles.face}>
                <Icon name={entry.icon} size={22} />
              </span>
              <span className={styles.label}>{entry.label}</span>
              {entry.badge && <span className={styles.badge}>{entry.badge}</span>}
            </EntryLink>
          </li>
        ))}
        {folds && (
          <li>
            <button type="button" className={classes('pressable', styles.entry)} aria-expanded={open} onClick={() => setOpen(!open)}>
              <span className={styles.face}>
                <Icon name={open ? 'chevron-up' : 'layout-grid'} size={22} />
              </span>
              <span className={styles.label}>{say(open ? 'widget.less' : 'widget.more')}</span>
            </button>
          </li>
        )}
      </ul>
    </nav>
  )
}
