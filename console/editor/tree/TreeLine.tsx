import { useDraggable, useDroppable } from '@dnd-kit/core'
import { Ban, ChevronDown, ChevronRight, CircleDashed, Repeat2, ShieldAlert, ToggleLeft } from 'lucide-react'
import { spoken } from '#console/editor/document/known.ts'
import { useEditing } from '#console/editor/document/useEditing.tsx'
import type { RowFlag, TreeRow } from '#console/editor/tree/rows.rules.ts'
import styles from '#console/editor/tree/TreeView.module.css'
import { labelOf } from '#console/editor/values/fields.rules.ts'
import { widgetWords } from '#console/editor/words/widget-words.ts'
import { useWords } from '#console/io/words.ts'

/** The position at which a dragged row would be dropped. */
export interface Drop {
  over: string
  where: 'before' | 'after' | 'inside'
  allowed: boolean
}

interface TreeLineProps {
  row: TreeRow
  chosen: boolean
  tabbable: boolean
  folded: boolean
  movable: boolean
  problem: 'error' | 'warn' | undefined
  drop: Drop | null
  onFold(closed: boolean): void
  onChoose(): void
}

const flags: Record<RowFlag, typeof Ban> = {
  conditional: CircleDashed,
  never: Ban,
  gated: ToggleLeft,
  repeats: Repeat2,
  critical: ShieldAlert,
}

export function TreeLine({ row, chosen, tabbable, folded, movable, problem, drop, onFold, onChoose }: TreeLineProps) {
  const say = useWords()
  const { known } = useEditing()
  const drag = useDraggable({ id: row.pointer, disabled: !movable })
  const target = useDroppable({ id: row.pointer })
  const words = spoken(row.words, known.words)
  const what =
    row.kind === 'document'
      ? say(`editor.kind_${row.type || 'screen'}`)
      : row.kind === 'slot'
        ? labelOf(row.name)
        : row.kind === 'use'
          ? say('editor.fragment_of', { name: row.name })
          : widgetWords(say, row.type).name
  const id = row.kind === 'node' || row.kind === 'field' ? row.name : row.as
  const Chevron = folded ? ChevronRight : ChevronDown
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree hears the keys for all of its lines
    <div
      ref={(element) => {
        drag.setNodeRef(element)
        target.setNodeRef(element)
      }}
      {...drag.listeners}
      role="treeitem"
      aria-level={row.depth + 1}
      aria-selected={chosen}
      aria-expanded={row.children > 0 ? !folded : undefined}
      aria-describedby={drag.attributes['aria-describedby']}
      tabIndex={tabbable ? 0 : -1}
      data-row={row.pointer}
      data-kind={row.kind}
      data-drop={drop ? (drop.allowed ? drop.where : 'refused') : undefined}
      data-dragged={drag.isDragging || undefined}
      className={styles.row}
      style={{ '--depth': row.depth } as React.CSSProperties}
      onClick={onChoose}
    >
      {row.children > 0 ? (
        <button
          type="button"
          tabIndex={-1}
          className={styles.fold}
          aria-label={folded ? say('editor.unfold') : say('editor.fold')}
          onPointerDown={(event) => event.stopPropagation()}
          onClick={(event) => {
            event.stopPropagation()
            onFold(!folded)
          }}
        >
          <Chevron size={14} aria-hidden />
        </button>
      ) : (
        <span className={styles.fold} />
      )}
      {row.standIn && <span className={styles.standIn}>{say(`editor.state_${row.standIn}`)}</span>}
      <span className={styles.what}>{what}</span>
      {words && <span className={styles.words}>{words}</span>}
      {id !== null && <span className={styles.id}>{id}</span>}
      {row.flags.map((flag) => {
        const Sign = flags[flag]
        return (
          <span key={flag} className={styles.flag} title={say(`editor.flag_${flag}`)}>
            <Sign size={13} aria-hidden />
            <span className="visually-hidden">{say(`editor.flag_${flag}`)}</span>
          </span>
        )
      })}
      {problem && (
        <span className={styles.problem} data-severity={problem} title={say(`editor.has_${problem}`)}>
          <span className="visually-hidden">{say(`editor.has_${problem}`)}</span>
        </span>
      )}
    </div>
  )
}
