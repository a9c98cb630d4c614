// biome-ignore-all lint/a11y/useSemanticElements: rows that are windowed are placed freely, which no table allows
// biome-ignore-all lint/a11y/useFocusableInteractive: heads and cells are no controls, their controls stand inside

import { useVirtualizer } from '@tanstack/react-virtual'
import { Languages, Plus } from 'lucide-react'
import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { useWorkspace } from '#console/io/useWorkspace.ts'
import { consoleLanguages, useWords } from '#console/io/words.ts'
import { Button } from '#console/parts/Button.tsx'
import { EmptyState } from '#console/parts/EmptyState.tsx'
import { Select } from '#console/parts/Field.tsx'
import { Page } from '#console/parts/layout/Page.tsx'
import { SearchInput } from '#console/parts/SearchInput.tsx'
import { useSearch } from '#console/parts/useSearch.ts'
import { AddKeyDialog } from '#console/texts/AddKeyDialog.tsx'
import { TextLine } from '#console/texts/TextLine.tsx'
import styles from '#console/texts/Texts.module.css'
import { cellAfter, filtered, type TextFilter, textRows } from '#console/texts/texts.rules.ts'

const languages = consoleLanguages.map(({ id }) => id)
const filters = ['all', 'missing', 'changed', 'stale', 'odd'] as const

/** The language whose placeholders the others are compared with: the app's default. */
function baseLanguageOf(app: string | undefined): string {
  try {
    return String((JSON.parse(app ?? '{}') as { defaultLanguage?: unknown }).defaultLanguage ?? 'en')
  } catch {
    return 'en'
  }
}

/** All texts of the app, with the languages side by side. */
export function TextsPage() {
  const say = useWords()
  const { files, base, editable } = useWorkspace()
  const { search, put, clear } = useSearch()
  const [adding, setAdding] = useState(false)
  const scroll = useRef<HTMLDivElement>(null)
  const baseLanguage = baseLanguageOf(files['schemas/app.json'])
  const rows = useMemo(() => textRows(files, base, languages, baseLanguage), [files, base, baseLanguage])
  const area = search.get('area') ?? ''
  const wanted = search.get('search') ?? ''
  const filter = filters.find((one) => one === search.get('filter')) ?? 'all'
  const shown = useMemo(() => filtered(rows, { area, search: wanted, filter }), [rows, area, wanted, filter])
  const areas = useMemo(() => [...new Set(rows.map((row) => row.area))], [rows])
  const count = (one: TextFilter) => (one === 'all' ? rows.length : rows.filter((row) => row[one].length > 0).length)
  const lines = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => 76,
    getItemKey: (index) => shown[index]?.key ?? index,
    overscan: 8,
  })
  /** Arrow keys, Home and End move between the cells; in an open text they move the caret. */
  const onKeyDown = (event: KeyboardEvent) => {
    const { target, altKey, ctrlKey, metaKey, shiftKey } = event
    if (altKey || ctrlKey || metaKey || shiftKey || !(target instanceof HTMLButtonElement)) return
    const { row, column } = target.dataset
    if (row === undefined || column === undefined) return
    const to = cellAfter(event.key, { row: Number(row), column: Number(column) }, shown.length, languages.length)
    if (!to) return
    event.preventDefault()
    const focus = (triesLeft: number) => {
      const cell = scroll.current?.querySelector<HTMLElement>(`[data-row="${to.row}"][data-column="${to.column}"]`)
      if (cell) {
        cell.focus({ preventScroll: true })
        cell.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      } else if (triesLeft > 0) requestAnimationFrame(() => focus(triesLeft - 1))
    }
    // A distant row is rendered once it is scrolled into view.
    if (to.row !== Number(row)) lines.scrollToIndex(to.row)
    focus(5)
  }
  return (
    <Page
      wide
      title={say('review.texts.title')}
      lead={say('review.texts.lead')}
      actions={
        editable && (
          <Button tone="primary" icon={Plus} onClick={() => setAdding(true)}>
            {say('review.texts.add')}
          </Button>
        )
      }
    >
      <div className={styles.tools}>
        <SearchInput
          aria-label={say('review.texts.search')}
          placeholder={say('review.texts.search')}
          value={wanted}
          onSearch={(text) => put('search', text)}
        />
        <Select
          aria-label={say('review.texts.area')}
          value={area}
          onChoose={(value) => put('area', value)}
          choices={[{ value: '', label: say('review.texts.all_areas') }, ...areas.map((value) => ({ value, label: value }))]}
        />
        <Select
          aria-label={say('review.texts.filter')}
          value={filter}
          onChoose={(value) => put('filter', value === 'all' ? '' : value)}
          choices={filters.map((value) => ({ value, label: say(`review.texts.filter_${value}`, { n: count(value) }) }))}
        />
      </div>
      {shown.length === 0 ? (
        <EmptyState icon={Languages} title={say('review.texts.none')} text={say('review.texts.none_text')}>
          {(wanted || area || filter !== 'all') && <Button onClick={clear}>{say('review.texts.clear')}</Button>}
        </EmptyState>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is reached by keyboard
        <section ref={scroll} className={styles.scroll} aria-label={say('review.texts.title')} tabIndex={0} onKeyDown={onKeyDown}>
          <div role="table" className={styles.table} aria-rowcount={shown.length + 1} aria-label={say('review.texts.title')}>
            <div role="row" className={styles.head}>
              <div role="columnheader">{say('review.texts.key')}</div>
              {consoleLanguages.map(({ id, label }) => (
                <div key={id} role="columnheader">
                  {label}
                </div>
              ))}
            </div>
            <div role="rowgroup" style={{ height: lines.getTotalSize(), position: 'relative' }}>
              {lines.getVirtualItems().map(({ key, index, start }) => {
                const row = shown[index]
                return (
                  row && (
                    <div
                      key={key}
                      ref={lines.measureElement}
                      data-index={index}
                      className={styles.place}
                      style={{ translate: `0 ${start}px` }}
                    >
                      <TextLine row={row} index={index} />
                    </div>
                  )
                )
              })}
            </div>
          </div>
        </section>
      )}
      {adding && (
        <AddKeyDialog
          areas={areas}
          area={area}
          rows={rows}
          baseLanguage={baseLanguage}
          onClose={() => setAdding(false)}
          onAdded={(key) => put('search', key)}
        />
      )}
    </Page>
  )
}
