import { DndContext, type DragEndEvent, type DragMoveEvent, PointerSensor, useSensor, useSensors } from '@dnd-kit/core'
import { ArrowDown, ArrowUp, CopyPlus, Plus, Trash2 } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { valueAt } from '#console/editor/document/pointer.ts'
import { useEditing } from '#console/editor/document/useEditing.tsx'
import { dropAt, stepTo, withFreshNames } from '#console/editor/tree/moves.rules.ts'
import { Palette } from '#console/editor/tree/Palette.tsx'
import { quiet } from '#console/editor/tree/quiet.ts'
import { type Place, rowAt, rowsOf, type TreeRow, visibleRows, widgetsOf } from '#console/editor/tree/rows.rules.ts'
import { type Drop, TreeLine } from '#console/editor/tree/TreeLine.tsx'
import styles from '#console/editor/tree/TreeView.module.css'
import { useWords } from '#console/io/words.ts'
import { Button, IconButton } from '#console/parts/Button.tsx'

/** The nodes of a document as a tree. Arrow keys navigate and fold, Alt with arrows moves, Insert adds, Delete removes, Ctrl+D duplicates; rows can be dragged. */
export function TreeView() {
  const say = useWords()
  const editing = useEditing()
  const { doc, known, selected, select, editable, problems } = editing
  const widgets = useMemo(() => widgetsOf(known.catalog.widgets), [known.catalog])
  const rows = useMemo(() => rowsOf(doc, widgets), [doc, widgets])
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const [adding, setAdding] = useState(false)
  const [drop, setDrop] = useState<Drop | null>(null)
  const [status, setStatus] = useState('')
  const tree = useRef<HTMLDivElement>(null)
  const focused = useRef(false)
  const shown = visibleRows(rows, folded)
  const current = rowAt(rows, selected) ?? rows[0]
  const active = current && shown.includes(current) ? current : shown[0]
  const wrong = useMemo(() => {
    const counts = new Map<string, 'error' | 'warn'>()
    for (const { pointer, severity } of problems) {
      const row = rowAt(rows, pointer)
      if (row && counts.get(row.pointer) !== 'error') counts.set(row.pointer, severity)
    }
    return counts
  }, [problems, rows])

  // A node that was selected elsewhere (in the preview, by a problem) is unfolded and scrolled into view.
  const wanted = current?.pointer
  useEffect(() => {
    if (wanted === undefined) return
    setFolded((before) => {
      const next = [...before].filter((pointer) => !wanted.startsWith(`${pointer}/`))
      return next.length === before.size ? before : new Set(next)
    })
    const line = tree.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(wanted)}"]`)
    line?.scrollIntoView({ block: 'nearest' })
    if (focused.current) line?.focus({ preventScroll: true })
  }, [wanted])

  const choose = (row: TreeRow | undefined) => row && select(row.pointer)
  const fold = (row: TreeRow, closed: boolean) =>
    setFolded((before) => {
      const next = new Set(before)
      if (closed) next.add(row.pointer)
      else next.delete(row.pointer)
      return next
    })
  const step = (way: 'up' | 'down' | 'in' | 'out') => {
    if (!current || !editable) return
    const place = stepTo(doc, rows, widgets, current, way)
    if (place) {
      editing.move(current.pointer, place)
      setStatus(say('editor.tree_moved', { name: current.name }))
    } else setStatus(say('editor.tree_no_way'))
  }
  const remove = () => {
    if (!current?.place || !editable) return
    const siblings = valueAt(doc, current.place.list)
    const only = Array.isArray(siblings) && siblings.length === 1
    if (only && (current.place.list === '/body' || current.place.list === '/fields')) return setStatus(say('editor.tree_last'))
    editing.set(only ? current.place.list : current.pointer, undefined)
    const at = shown.indexOf(current)
    const next = shown.slice(0, at).findLast((row) => row.depth <= current.depth)
    select(current.place.index > 0 ? `${current.place.list}/${current.place.index - 1}` : (next?.pointer ?? ''))
    setStatus(say('editor.tree_removed', { name: current.name }))
  }
  const double = () => {
    if (!current?.place || !editable) return
    const copy = withFreshNames(valueAt(doc, current.pointer), doc)
    editing.insert({ list: current.place.list, index: current.place.index + 1 }, copy)
  }

  const onKeyDown = (event: React.KeyboardEvent) => {
    if (!active || event.target instanceof HTMLInputElement) return
    const at = shown.indexOf(active)
    const key = `${event.ctrlKey || event.metaKey ? 'Ctrl+' : ''}${event.altKey ? 'Alt+' : ''}${event.key}`
    const acts: Record<string, () => void> = {
      ArrowDown: () => choose(shown[at + 1]),
      ArrowUp: () => choose(shown[at - 1]),
      Home: () => choose(shown[0]),
      End: () => choose(shown.at(-1)),
      ArrowRight: () => (folded.has(active.pointer) ? fold(active, false) : active.children > 0 && choose(shown[at + 1])),
      ArrowLeft: () =>
        active.children > 0 && !folded.has(active.pointer)
          ? fold(active, true)
          : choose(rows.find(({ pointer }) => pointer === active.parent)),
      'Alt+ArrowUp': () => step('up'),
      'Alt+ArrowDown': () => step('down'),
      'Alt+ArrowLeft': () => step('out'),
      'Alt+ArrowRight': () => step('in'),
      Insert: () => editable && setAdding(true),
      Delete: remove,
      'Ctrl+d': double,
    }
    const act = acts[key]
    if (!act) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }

  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 5 } }))
  const placeOf = ({
    active: from,
    over,
  }: DragMoveEvent | DragEndEvent): { moved: TreeRow; over: TreeRow; after: boolean; to: Place | string } | null => {
    const moved = rows.find(({ pointer }) => pointer === from.id)
    const row = rows.find(({ pointer }) => pointer === over?.id)
    const box = from.rect.current.translated
    if (!moved || !row || !over || !box) return null
    const after = box.top + box.height / 2 > over.rect.top + over.rect.height / 2
    return { moved, over: row, after, to: dropAt(doc, widgets, moved, row, after) }
  }
  const onDragMove = (event: DragMoveEvent) => {
    const found = placeOf(event)
    if (!found || found.moved === found.over) return setDrop(null)
    const { over, after, to } = found
    setDrop({ over: over.pointer, where: over.kind === 'slot' ? 'inside' : after ? 'after' : 'before', allowed: typeof to !== 'string' })
  }
  const onDragEnd = (event: DragEndEvent) => {
    const found = placeOf(event)
    setDrop(null)
    if (!found || found.moved === found.over) return
    if (typeof found.to === 'string') setStatus(say(`editor.refused_${found.to}`))
    else {
      editing.move(found.moved.pointer, found.to)
      setStatus(say('editor.tree_moved', { name: found.moved.name }))
    }
  }

  return (
    <div className={styles.frame}>
      <div className={styles.tools} role="toolbar" aria-label={say('editor.tree_tools')}>
        <Button small icon={Plus} disabled={!editable} onClick={() => setAdding(true)}>
          {say('editor.add')}
        </Button>
        <span className={styles.space} />
        <IconButton small label={say('editor.up')} icon={ArrowUp} disabled={!editable || !current?.place} onClick={() => step('up')} />
        <IconButton
          small
          label={say('editor.down')}
          icon={ArrowDown}
          disabled={!editable || !current?.place}
          onClick={() => step('down')}
        />
        <IconButton small label={say('editor.double')} icon={CopyPlus} disabled={!editable || !current?.place} onClick={double} />
        <IconButton small label={say('editor.remove')} icon={Trash2} disabled={!editable || !current?.place} onClick={remove} />
      </div>
      <DndContext
        sensors={sensors}
        onDragMove={onDragMove}
        onDragEnd={onDragEnd}
        onDragCancel={() => setDrop(null)}
        accessibility={{ announcements: quiet, screenReaderInstructions: { draggable: say('editor.tree_help') } }}
      >
        <div
          ref={tree}
          role="tree"
          aria-label={say('editor.tree')}
          className={styles.tree}
          onKeyDown={onKeyDown}
          onFocus={() => {
            focused.current = true
          }}
          onBlur={() => {
            focused.current = false
          }}
        >
          {shown.map((row) => (
            <TreeLine
              key={row.pointer}
              row={row}
              chosen={row === current}
              tabbable={row === active}
              folded={folded.has(row.pointer)}
              onFold={(closed) => fold(row, closed)}
              onChoose={() => choose(row)}
              problem={wrong.get(row.pointer)}
              drop={drop?.over === row.pointer ? drop : null}
              movable={editable && row.place !== null}
            />
          ))}
        </div>
      </DndContext>
      <p className="visually-hidden" aria-live="assertive">
        {status}
      </p>
      {adding && <Palette row={current} widgets={widgets} onClose={() => setAdding(false)} />}
    </div>
  )
}
