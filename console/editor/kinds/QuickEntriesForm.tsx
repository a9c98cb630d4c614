import { closestCenter, DndContext, type DragEndEvent, PointerSensor, useSensor, useSensors } from '@dnd-kit/core'
import { SortableContext, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { ArrowDown, ArrowUp, Eye, EyeOff, GripVertical, Plus, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { spoken } from '#console/editor/document/known.ts'
import { useEditing } from '#console/editor/document/useEditing.tsx'
import styles from '#console/editor/kinds/QuickEntries.module.css'
import { stableKeys } from '#console/editor/kinds/stable-keys.rules.ts'
import { freshName } from '#console/editor/tree/moves.rules.ts'
import { quiet } from '#console/editor/tree/quiet.ts'
import { FieldSet } from '#console/editor/values/Fields.tsx'
import { type FormField, fieldsOf, propsOf } from '#console/editor/values/fields.rules.ts'
import { useWords } from '#console/io/words.ts'
import { Badge } from '#console/parts/Badge.tsx'
import { Button, IconButton } from '#console/parts/Button.tsx'
import { EmptyState } from '#console/parts/EmptyState.tsx'
import { isObject } from '#language/documents/json.ts'
import { limits } from '#language/documents/limits.ts'
import { Icon } from '#widgets/parts/look/Icon.tsx'

/** Shortcuts in the order in which customers see them. Cards are dragged, or moved with Alt and the arrows. */
export function QuickEntriesForm() {
  const say = useWords()
  const { doc, known, editable, insert, move, selected, select, set } = useEditing()
  const entries = isObject(doc) && Array.isArray(doc.entries) ? doc.entries.map((one) => (isObject(one) ? one : {})) : []
  const chosen = Number(/^\/entries\/(\d+)/.exec(selected)?.[1] ?? Number.NaN)
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 4 } }))
  const [status, setStatus] = useState('')
  const [refusal, setRefusal] = useState('')
  const list = useRef<HTMLUListElement>(null)
  const follow = useRef<string | null>(null)
  const ids = entries.map((entry, i) => String(entry.id ?? i))
  const [keyed, setKeyed] = useState(() => stableKeys([], ids))
  if (keyed.length !== ids.length || keyed.some(({ id }, i) => id !== ids[i])) setKeyed(stableKeys(keyed, ids))

  // A card that was moved by keyboard keeps the focus.
  useEffect(() => {
    if (follow.current === null) return
    list.current?.querySelector<HTMLElement>(`[data-entry="${CSS.escape(follow.current)}"]`)?.focus()
    follow.current = null
  })

  const shift = (from: number, to: number) => {
    if (!editable || from === to || to < 0 || to >= entries.length) return
    move(`/entries/${from}`, { list: '/entries', index: to > from ? to + 1 : to }, true)
    if (Number.isInteger(chosen)) select(`/entries/${chosen === from ? to : chosen}`)
    setStatus(say('editor.entry_moved', { name: spoken(entries[from]?.label, known.words), place: to + 1, count: entries.length }))
  }
  const onDragEnd = ({ active, over }: DragEndEvent) => {
    if (over) shift(ids.indexOf(String(active.id)), ids.indexOf(String(over.id)))
  }
  const add = () => {
    insert(
      { list: '/entries', index: entries.length },
      { id: freshName('entry', new Set(ids)), icon: 'star', label: { $t: '' }, to: known.names.route?.[0] ?? '/' },
    )
  }
  /** Whether an entry is the last that customers see in the tab bar: without it they could not change the page. */
  const isLastTab = (i: number) =>
    isObject(doc) && doc.id === known.tabList && entries.every((entry, k) => (k === i) === (entry.hidden !== true))
  const refused = (i: number) => {
    setRefusal('')
    if (!isLastTab(i)) return false
    setRefusal(say('editor.tabs_last'))
    return true
  }
  const hide = (i: number) => void (refused(i) || set(`/entries/${i}/hidden`, entries[i]?.hidden === true ? undefined : true))
  const remove = (i: number) => void (refused(i) || set(`/entries/${i}`, undefined))
  const onKeyDown = (event: React.KeyboardEvent, i: number) => {
    if (event.target !== event.currentTarget) return
    const key = `${event.altKey ? 'Alt+' : ''}${event.key}`
    const acts: Record<string, () => void> = {
      'Alt+ArrowUp': () => shift(i, i - 1),
      'Alt+ArrowDown': () => shift(i, i + 1),
      ArrowUp: () => list.current?.querySelectorAll<HTMLElement>('[data-entry]')[i - 1]?.focus(),
      ArrowDown: () => list.current?.querySelectorAll<HTMLElement>('[data-entry]')[i + 1]?.focus(),
      Enter: () => select(chosen === i ? '' : `/entries/${i}`),
      ' ': () => select(chosen === i ? '' : `/entries/${i}`),
      Insert: add,
      Delete: () => {
        if (!editable) return
        if (refused(i)) return
        remove(i)
        follow.current = ids[i + 1] ?? ids[i - 1] ?? null
      },
    }
    const act = acts[key]
    if (!act) return
    event.preventDefault()
    follow.current = key.startsWith('Alt') ? (ids[i] ?? null) : null
    act()
  }
  const full = entries.length >= limits.quickEntriesMax
  return (
    <div className={styles.frame}>
      <div className={styles.top}>
        <p className="quiet">{say('editor.entries_help')}</p>
        <Button icon={Plus} tone="primary" disabled={!editable || full} onClick={add}>
          {say('editor.entry_add')}
        </Button>
      </div>
      {refusal !== '' && (
        <p className={styles.refusal} role="alert">
          {refusal}
        </p>
      )}
      {entries.length === 0 && <EmptyState title={say('editor.entries_none')} text={say('editor.entries_none_text')} />}
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        onDragEnd={onDragEnd}
        accessibility={{ announcements: quiet, screenReaderInstructions: { draggable: say('editor.entries_help') } }}
      >
        <SortableContext items={ids} strategy={verticalListSortingStrategy}>
          <ul ref={list} className={styles.list}>
            {entries.map((entry, i) => (
              <EntryCard
                key={keyed[i]?.key ?? ids[i]}
                id={ids[i] as string}
                entry={entry}
                index={i}
                count={entries.length}
                open={chosen === i}
                onKeyDown={(event) => onKeyDown(event, i)}
                onOpen={() => select(chosen === i ? '' : `/entries/${i}`)}
                onShift={(by) => {
                  follow.current = null
                  shift(i, i + by)
                }}
                onHide={() => hide(i)}
                onRemove={() => remove(i)}
              />
            ))}
          </ul>
        </SortableContext>
      </DndContext>
      <p className="visually-hidden" aria-live="assertive">
        {status}
      </p>
    </div>
  )
}

interface EntryCardProps {
  id: string
  entry: Record<string, unknown>
  index: number
  count: number
  open: boolean
  onKeyDown(event: React.KeyboardEvent): void
  onOpen(): void
  onShift(by: -1 | 1): void
  onHide(): void
  onRemove(): void
}

function EntryCard({ id, entry, index, count, open, onKeyDown, onOpen, onShift, onHide, onRemove }: EntryCardProps) {
  const say = useWords()
  const { known, editable, problems } = useEditing()
  const { setNodeRef, listeners, transform, transition, isDragging, attributes } = useSortable({ id, disabled: !editable })
  const label = spoken(entry.label, known.words)
  const hidden = entry.hidden === true
  const wrong = problems.some(
    ({ pointer, severity }) => severity === 'error' && (pointer === `/entries/${index}` || pointer.startsWith(`/entries/${index}/`)),
  )
  return (
    <li
      ref={setNodeRef}
      className={styles.card}
      data-hidden={hidden || undefined}
      data-dragged={isDragging || undefined}
      style={{ transform: transform ? `translate3d(0, ${Math.round(transform.y)}px, 0)` : undefined, transition }}
    >
      <div className={styles.row}>
        {/* biome-ignore lint/a11y/useSemanticElements: it holds buttons, and a button may not */}
        <div
          role="button"
          tabIndex={0}
          data-entry={id}
          className={styles.face}
          aria-expanded={open}
          aria-describedby={attributes['aria-describedby']}
          {...listeners}
          onKeyDown={onKeyDown}
          onClick={onOpen}
        >
          <GripVertical size={16} aria-hidden className={styles.grip} />
          <span className={styles.icon}>
            <Icon name={String(entry.icon ?? '')} size={20} />
          </span>
          <span className={styles.words}>
            <strong>{label || id}</strong>
            <span className="quiet mono">{String(entry.to ?? '')}</span>
          </span>
          {hidden && <Badge>{say('editor.entry_hidden')}</Badge>}
          {entry.show !== undefined && (
            <Badge tone="info">{say(entry.show === false ? 'editor.flag_never' : 'editor.flag_conditional')}</Badge>
          )}
          {wrong && <Badge tone="bad">{say('editor.has_error')}</Badge>}
        </div>
        <div className={styles.acts}>
          <IconButton
            small
            label={`${say('editor.up')}: ${label || id}`}
            icon={ArrowUp}
            disabled={!editable || index === 0}
            onClick={() => onShift(-1)}
          />
          <IconButton
            small
            label={`${say('editor.down')}: ${label || id}`}
            icon={ArrowDown}
            disabled={!editable || index === count - 1}
            onClick={() => onShift(1)}
          />
          <IconButton
            small
            label={`${say(hidden ? 'editor.entry_show' : 'editor.entry_hide')}: ${label || id}`}
            icon={hidden ? EyeOff : Eye}
            disabled={!editable}
            onClick={onHide}
          />
          <IconButton small label={say('editor.take_out', { name: label || id })} icon={Trash2} disabled={!editable} onClick={onRemove} />
        </div>
      </div>
      {open && <QuickEntryForm pointer={`/entries/${index}`} entry={entry} />}
    </li>
  )
}

/** The form of one shortcut: its label and icon, its target and its conditions. */
function QuickEntryForm({ pointer, entry }: { pointer: string; entry: Record<string, unknown> }) {
  const { known } = useEditing()
  const schema = known.schemas['quick-entries']
  const item = schema?.properties?.entries?.items ?? {}
  const params = known.params[`screen/${known.screenOf[String(entry.to)] ?? ''}`] ?? {}
  const order = ['label', 'icon', 'to', 'params', 'show', 'badge', 'id']
  const fields = propsOf(item)
    // The button of the card hides the entry.
    .filter(({ name }) => name !== 'hidden')
    .toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name))
    .flatMap((field): FormField[] => {
      if (field.name === 'label') return [{ ...field, computed: true }]
      if (field.name !== 'params') return [{ ...field, computed: field.name === 'badge' }]
      const inner = fieldsOf(params)
      if (inner.length === 0 && !isObject(entry.params)) return []
      return [{ ...field, schema: params, computed: false, control: { kind: 'record', fields: inner } }]
    })
  return (
    <div className={styles.form}>
      <FieldSet fields={fields} pointer={pointer} value={entry} />
    </div>
  )
}
