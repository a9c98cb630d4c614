import { useState } from 'react'
import styles from '#console/editor/guided/Guided.module.css'
import { type Column, columnsOf } from '#console/editor/guided/list-screen.rules.ts'
import { useWords } from '#console/io/words.ts'
import { Button } from '#console/parts/Button.tsx'
import { SearchList } from '#console/parts/SearchList.tsx'
import { searchForm } from '#contract/text.ts'
import type { CallManifest } from '#language/types/catalog.ts'

interface CallListProps {
  calls: readonly CallManifest[]
  chosen: CallManifest | null
  choose(call: CallManifest): void
  clear(): void
}

/** Picks a call by what it lists. */
export function CallList({ calls, chosen, choose, clear }: CallListProps) {
  const say = useWords()
  const [wanted, setWanted] = useState('')
  if (chosen)
    return (
      <p className={styles.chosen}>
        <span>{chosen.summary}</span> <span className={styles.quiet}>{chosen.name}</span>
        <Button small tone="quiet" onClick={clear}>
          {say('guided.other')}
        </Button>
      </p>
    )
  const words = searchForm(wanted).split(/\s+/).filter(Boolean)
  const found = calls.filter((call) => {
    const text = searchForm(
      `${call.summary} ${call.name} ${columnsOf(call)
        .map(({ label }) => label)
        .join(' ')}`,
    )
    return words.every((word) => text.includes(word))
  })
  return (
    <SearchList
      label={say('guided.search')}
      wanted={wanted}
      onWanted={setWanted}
      nothing={say('guided.nothing')}
      rows={found.map((call) => ({ key: call.name, title: call.summary, about: call.name, choose: () => choose(call) }))}
    />
  )
}

interface ColumnListProps {
  columns: readonly Column[]
  chosen: readonly string[]
  onChange(chosen: readonly string[]): void
}

/** Ticks columns; the order of ticking decides where each stands in a row. */
export function ColumnList({ columns, chosen, onChange }: ColumnListProps) {
  const say = useWords()
  const place = (name: string) => {
    const at = chosen.indexOf(name)
    return at < 0 ? '' : say(`guided.place_${at === 0 ? 'title' : at === 1 ? 'end' : 'below'}`)
  }
  return (
    <ul className={styles.list}>
      {columns.map(({ name, label, about }) => (
        <li key={name}>
          <label className={styles.column}>
            <input
              type="checkbox"
              checked={chosen.includes(name)}
              onChange={(event) => onChange(event.target.checked ? [...chosen, name] : chosen.filter((one) => one !== name))}
            />
            <span>
              {label} <span className={styles.quiet}>{about}</span>
            </span>
            {place(name) && <span className={styles.place}>{place(name)}</span>}
          </label>
        </li>
      ))}
    </ul>
  )
}
