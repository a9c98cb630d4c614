import { type KeyboardEvent, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { useEngineText, useFormat, type ViewProps } from '#renderer/widget-api.ts'
import { CopyButton } from '#widgets/parts/CopyButton.tsx'
import { classes } from '#widgets/parts/look/classes.ts'
import { SkeletonShape } from '#widgets/parts/look/SkeletonShape.tsx'
import { type Tone, toneClass } from '#widgets/parts/look/tones.ts'
import { Notice } from '#widgets/parts/Notice.tsx'
import { PushButton } from '#widgets/parts/PushButton.tsx'
import { cellOf, rowAfter } from '#widgets/record-table/cell.rules.ts'
import styles from '#widgets/record-table/RecordTable.module.css'
import type { RecordTableProps } from '#widgets/record-table/record-table.props.ts'

type Props = ViewProps<RecordTableProps, 'select' | 'more'>

/** Rows of records: a dense table on wide windows, cards on narrow ones. Arrow keys move through the rows, Enter opens one. */
export function RecordTable({ root, props, emit, listens, status }: Props) {
  const { caption, columns, rows = [], rowKey = 'id', total, more = false, loadingMore = false, emptyTitle, emptyText } = props
  const say = useEngineText()
  const figures = useFormat()
  const format = { ...figures, say: (key: string, context: string) => say(key, { context }) }
  const body = useRef<HTMLTableSectionElement>(null)
  const [chosen, setChosen] = useState(0)
  const opens = listens?.('select') ?? false
  // A button to copy needs the room that a card has.
  const isPairs = columns.length === 2 && !columns.some(({ copy }) => copy)
  const at = Math.min(chosen, Math.max(0, rows.length - 1))
  const focus = (row: number) => {
    setChosen(row)
    body.current?.querySelectorAll<HTMLButtonElement>('button[data-open]')[row]?.focus()
  }
  const onKey = (event: KeyboardEvent) => {
    const next = rowAfter(event.key, at, rows.length)
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    focus(next)
  }
  // Without focus, the first arrow key enters the table.
  const enter = useEffectEvent((event: globalThis.KeyboardEvent) => {
    const idle = document.activeElement === document.body || document.activeElement === null
    if (idle && !event.defaultPrevented && event.key === 'ArrowDown' && rows.length > 0) {
      event.preventDefault()
      focus(at)
    }
  })
  // Registered before the paint, so that keys work as soon as the rows are visible.
  useLayoutEffect(() => {
    if (!opens) return
    const hear = (event: globalThis.KeyboardEvent) => enter(event)
    document.addEventListener('keydown', hear)
    return () => document.removeEventListener('keydown', hear)
  }, [opens])

  if (rows.length === 0)
    return (
      <div {...root} className={styles.frame} aria-busy={status === 'loading' || undefined}>
        {status === 'loading' ? (
          <SkeletonShape shape="row" count={6} />
        ) : (
          <Notice icon="inbox" title={emptyTitle ?? say('widget.empty')} text={emptyText} />
        )}
      </div>
    )
  return (
    <div {...root} className={styles.frame}>
      <table className={styles.table} data-pairs={isPairs || undefined}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.label} scope="col" className={column.align === 'end' ? styles.end : undefined}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body} onKeyDown={opens ? onKey : undefined}>
          {rows.map((row, i) => (
            <tr key={String(row[rowKey])} data-key={String(row[rowKey])} className={opens ? styles.opens : undefined}>
              {columns.map((column, place) => {
                const cell = cellOf(row, column, format)
                const note = column.note && cellOf(row, column.note, format)
                const said = (
                  <span className={classes(cell.badge && styles.badge, toneClass(cell.tone as Tone | undefined))} data-tone={cell.tone}>
                    {cell.text}
                  </span>
                )
                return (
                  <td key={column.label} data-label={column.label} className={column.align === 'end' ? styles.end : undefined}>
                    <span className={styles.cell} data-copy={column.copy || undefined}>
                      {opens && place === 0 ? (
                        <button
                          type="button"
                          data-open=""
                          className={styles.open}
                          tabIndex={i === at ? 0 : -1}
                          onFocus={() => setChosen(i)}
                          onClick={() => emit('select', row[rowKey])}
                        >
                          {said}
                        </button>
                      ) : (
                        cell.text !== '' && said
                      )}
                      {column.copy && cell.text !== '' && (
                        <CopyButton text={cell.text} label={say('widget.copy', { label: column.label })} hideLabel />
                      )}
                      {note && note.text !== '' && (
                        <span className={classes(styles.note, note.tone ? toneClass(note.tone as Tone) : styles.quiet)}>{note.text}</span>
                      )}
                    </span>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {(more || total !== undefined) && (
        <div className={styles.foot}>
          {total !== undefined && <span className={styles.count}>{say('widget.rows_of', { n: rows.length, total })}</span>}
          {more && <PushButton label={say('widget.more')} size="sm" busy={loadingMore} onPress={() => emit('more')} />}
        </div>
      )}
    </div>
  )
}
