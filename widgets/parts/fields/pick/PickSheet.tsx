import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useEngineText } from '#renderer/widget-api.ts'
import styles from '#widgets/parts/fields/pick/PickSheet.module.css'
import { found, moved, type PickOption } from '#widgets/parts/fields/search.rules.ts'
import { classes } from '#widgets/parts/look/classes.ts'
import { Icon } from '#widgets/parts/look/Icon.tsx'
import SheetDialog from '#widgets/parts/SheetDialog.tsx'

interface PickSheetProps {
  title: string
  options: readonly PickOption[]
  /** Id of what is chosen now. */
  chosen: string | undefined
  notes: boolean
  open: boolean
  close: () => void
  pick: (id: string) => void
}

/** A searchable list with one choice. The focus stays in the search field, arrow keys move in the list. */
export default function PickSheet({ title, options, chosen, notes, open, close, pick }: PickSheetProps) {
  const search = useRef<HTMLInputElement>(null)
  return (
    <SheetDialog title={title} open={open} close={close} first={search} tall>
      <Finder search={search} title={title} options={options} chosen={chosen} notes={notes} pick={pick} />
    </SheetDialog>
  )
}

type FinderProps = Pick<PickSheetProps, 'title' | 'options' | 'chosen' | 'notes' | 'pick'> & {
  search: React.RefObject<HTMLInputElement | null>
}

function Finder({ search, title, options, chosen, notes, pick }: FinderProps) {
  const say = useEngineText()
  const id = useId()
  const [query, setQuery] = useState('')
  const shown = found(options, query)
  const [at, setAt] = useState(() => options.findIndex((option) => option.id === chosen))
  const list = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is looked at is kept in sight
  useEffect(() => {
    list.current?.querySelector('[data-at]')?.scrollIntoView({ block: 'nearest' })
  }, [at, query])
  const key = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') {
      event.preventDefault()
      const option = shown[at]
      if (option) pick(option.id)
      return
    }
    const next = moved(event.key, at, shown.length)
    if (next === undefined) return
    event.preventDefault()
    setAt(next)
  }
  return (
    <>
      <div className={styles.search}>
        <Icon name="search" size={18} className={styles.glass} />
        <input
          ref={search}
          type="text"
          role="combobox"
          className={styles.query}
          aria-label={say('widget.pick_search')}
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={shown[at] && `${id}${at}`}
          aria-autocomplete="list"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={60}
          placeholder={say('widget.pick_search')}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value)
            setAt(0)
          }}
          onKeyDown={key}
        />
      </div>
      <div ref={list} id={id} role="listbox" aria-label={title} className={styles.list}>
        {shown.map((option, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are heard where the focus is, in the search
          <div
            key={option.id}
            id={`${id}${i}`}
            role="option"
            tabIndex={-1}
            className={classes('pressable', styles.option)}
            aria-selected={option.id === chosen}
            data-at={i === at || undefined}
            onClick={() => pick(option.id)}
          >
            <span className={styles.words}>
              {option.label}
              {notes && option.note && <span className={styles.note}>{option.note}</span>}
            </span>
            {option.id === chosen && <Icon name="check" size={20} className={styles.tick} />}
          </div>
        ))}
      </div>
      <p className={shown.length === 0 ? styles.none : 'visually-hidden'} role="status">
        {shown.length === 0 ? say('widget.pick_none') : ''}
      </p>
    </>
  )
}
