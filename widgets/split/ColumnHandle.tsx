import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { useEngineText } from '#renderer/widget-api.ts'
import styles from '#widgets/split/Split.module.css'
import { columnPx, fitting, widthAfterKey } from '#widgets/split/widths.rules.ts'

interface ColumnHandleProps {
  /** Number of its column, from 0. */
  at: number
  width: number
  /** Whether the document wants to know of other widths. */
  enabled: boolean
  onMove: (width: number) => void
  onEnd: (width: number) => void
}

/** The line before a column, which is dragged or moved with the keyboard. Enter and a double click give the usual width back. */
export function ColumnHandle({ at, width, enabled, onMove, onEnd }: ColumnHandleProps) {
  const say = useEngineText()
  const drag = useRef<{ x: number; width: number; moved: boolean }>(undefined)
  if (!enabled) return <div className={styles.handle} aria-hidden="true" />

  const widthAt = (event: PointerEvent) => fitting((drag.current?.width ?? width) + (drag.current?.x ?? 0) - event.clientX)
  const begin = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    // No text is selected on the way; so the browser does not move the focus either.
    event.preventDefault()
    event.currentTarget.focus()
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = { x: event.clientX, width: drawnWidth(event.currentTarget) || width, moved: false }
  }
  const move = (event: PointerEvent) => {
    if (!drag.current || event.clientX === drag.current.x) return
    drag.current.moved = true
    onMove(widthAt(event))
  }
  const end = (event: PointerEvent) => {
    if (drag.current?.moved) onEnd(widthAt(event))
    drag.current = undefined
  }
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const next = widthAfterKey(event.key, drawnWidth(event.currentTarget) || width)
    if (next === undefined) return
    event.preventDefault()
    if (next !== width) onEnd(next)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: hr cannot be focused and moved; this is the window splitter of ARIA
    <div
      className={styles.handle}
      role="separator"
      tabIndex={0}
      aria-label={say(at === 0 ? 'widget.split_second' : 'widget.split_third')}
      aria-orientation="vertical"
      aria-valuemin={columnPx.least}
      aria-valuenow={width}
      aria-valuemax={columnPx.most}
      onPointerDown={begin}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={end}
      onDoubleClick={() => onEnd(columnPx.usual)}
      onKeyDown={press}
    />
  )
}

/** Width of the column after a handle; a narrow window draws it narrower than what is kept. */
function drawnWidth(handle: HTMLElement): number {
  return handle.nextElementSibling instanceof HTMLElement ? handle.nextElementSibling.offsetWidth : 0
}
