import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { type FieldGiven, type RowsHandle, useEngineText, useField, type ViewProps } from '#renderer/widget-api.ts'
import { FieldFrame } from '#widgets/parts/fields/FieldFrame.tsx'
import frame from '#widgets/parts/fields/field.module.css'
import { classes } from '#widgets/parts/look/classes.ts'
import { Icon } from '#widgets/parts/look/Icon.tsx'
import { PushButton } from '#widgets/parts/PushButton.tsx'
import styles from '#widgets/rows-field/RowsField.module.css'
import type { RowsFieldProps } from '#widgets/rows-field/rows-field.props.ts'

const rowsMost = 100
type Tool = 'up' | 'down' | 'remove'

/**
 * Rows of fields: one adds, removes and moves them. Alt with an arrow moves the row of the focus. After each change the focus stands where one
 * goes on: in the row that was added or moved, in the next one of a row that was removed.
 */
export function rowsFieldOf(useRows: () => RowsHandle) {
  return function RowsField({ root, props }: ViewProps<RowsFieldProps & FieldGiven>) {
    const field = useField()
    const say = useEngineText()
    const { rows, add, remove, move, focus } = useRows()
    const [said, announce] = useState('')
    const list = useRef<HTMLOListElement>(null)
    const adder = useRef<HTMLDivElement>(null)
    /** The element that gets the focus once the rows are drawn. */
    const next = useRef<() => void>(undefined)
    useLayoutEffect(() => {
      next.current?.()
      next.current = undefined
    })
    const least = Number(props.min) || 0
    const most = Math.min(Number(props.max ?? rowsMost), rowsMost)
    const canAdd = field.enabled && rows.length < most
    const { item = field.label, fixed = false } = props
    const toAdder = () => adder.current?.querySelector('button')?.focus()
    const onAdd = () => {
      next.current = () => focus(rows.length)
      add()
    }
    const onRemove = (index: number) => {
      next.current = () => (rows.length > 1 ? focus(Math.min(index, rows.length - 2)) : toAdder())
      remove(index)
      announce(say('widget.list_removed', { n: index + 1 }))
    }
    const onMove = (index: number, to: number, tool?: Tool) => {
      if (fixed || !field.enabled || to < 0 || to >= rows.length) return
      const from = document.activeElement
      next.current = () => {
        const own = tool && toolOf(list.current, to, tool)
        if (own) own.focus()
        else if (from instanceof HTMLElement && list.current?.contains(from) && !tool) from.focus()
        else focus(to)
      }
      move(index, to)
      announce(say('widget.list_moved', { n: to + 1 }))
    }
    const onKey = (event: KeyboardEvent<HTMLElement>, index: number) => {
      const way = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
      if (!event.altKey || way === 0 || event.nativeEvent.isComposing) return
      event.preventDefault()
      onMove(index, index + way)
    }
    return (
      <FieldFrame root={root} field={field} group aside={props.max !== undefined && <Count n={rows.length} max={most} />}>
        {rows.length === 0 && props.none && <p className={styles.none}>{props.none}</p>}
        <ol ref={list} className={styles.rows}>
          {rows.map(({ key, cells }, i) => {
            const name = say('widget.list_entry', { label: item, n: i + 1 })
            return (
              <li key={key} className={styles.row} aria-label={name} onKeyDown={(event) => onKey(event, i)}>
                <div className={styles.head}>
                  <span className={styles.name}>{name}</span>
                  {!fixed && (
                    <>
                      <ToolButton
                        tool="up"
                        icon="arrow-up"
                        label={say('widget.list_up', { name })}
                        on={field.enabled && i > 0}
                        press={() => onMove(i, i - 1, 'up')}
                      />
                      <ToolButton
                        tool="down"
                        icon="arrow-down"
                        label={say('widget.list_down', { name })}
                        on={field.enabled && i < rows.length - 1}
                        press={() => onMove(i, i + 1, 'down')}
                      />
                    </>
                  )}
                  <ToolButton
                    tool="remove"
                    icon="x"
                    label={say('widget.list_remove', { name })}
                    on={field.enabled && rows.length > least}
                    press={() => onRemove(i)}
                  />
                </div>
                <div className={styles.cells}>{cells}</div>
              </li>
            )
          })}
        </ol>
        <div ref={adder}>
          <PushButton
            root={{ id: field.id, ref: field.focusRef }}
            label={props.add ?? say('widget.list_add')}
            size="sm"
            icon="plus"
            enabled={canAdd}
            onPress={onAdd}
          />
        </div>
        <span className="visually-hidden" role="status">
          {said}
        </span>
      </FieldFrame>
    )
  }
}

/** A button of a row; undefined when it cannot be pressed there. */
function toolOf(list: HTMLElement | null, row: number, tool: Tool): HTMLButtonElement | undefined {
  const found = list?.children[row]?.querySelector<HTMLButtonElement>(`[data-tool="${tool}"]`)
  return found && !found.disabled ? found : undefined
}

function Count({ n, max }: { n: number; max: number }) {
  return (
    <span className={classes('num', frame.count)} aria-hidden="true">
      {n}/{max}
    </span>
  )
}

function ToolButton({ tool, icon, label, on, press }: { tool: Tool; icon: string; label: string; on: boolean; press: () => void }) {
  return (
    <button
      type="button"
      data-tool={tool}
      className={classes('pressable', frame.tool, styles.tool)}
      aria-label={label}
      disabled={!on}
      onClick={press}
    >
      <Icon name={icon} size={18} />
    </button>
  )
}
