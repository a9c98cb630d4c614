import { type CSSProperties, useEffect, useState } from 'react'
import { useWide, type ViewProps } from '#renderer/widget-api.ts'
import { ColumnHandle } from '#widgets/split/ColumnHandle.tsx'
import styles from '#widgets/split/Split.module.css'
import type { SplitProps } from '#widgets/split/split.props.ts'
import { fitting, withWidth } from '#widgets/split/widths.rules.ts'

type Part = 'main' | 'side' | 'end'

const beside: readonly Part[] = ['main', 'side', 'end']
const none: readonly number[] = []

/** Below each other on a phone, beside each other in a wide window, where side and end have widths of their own. */
export function Split({ root, props, slots, emit, listens }: ViewProps<SplitProps, 'resize', Part>) {
  const { narrow = beside, pair = false, widths = none } = props
  const isWide = useWide()
  // Dragged widths apply until the document reports which of them it kept.
  const [dragged, setDragged] = useState<readonly number[]>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: other widths end what was dragged
  useEffect(() => setDragged(undefined), [widths])
  const shown = dragged ?? widths
  const handle = (part: 'side' | 'end', at: number, width: number) => (
    <ColumnHandle
      key={`${part} handle`}
      enabled={listens?.('resize') ?? true}
      onMove={(next) => setDragged(withWidth(shown, at, next))}
      onEnd={(next) => {
        const kept = withWidth(shown, at, next)
        setDragged(kept)
        emit('resize', kept)
      }}
      at={at}
      width={width}
    />
  )
  const parts = (isWide ? beside : narrow).filter((part) => part === 'main' || slots[part].count > 0)
  const places = !isWide && pair ? (['first', 'second'] as const) : []
  // The same keys in both arrangements: a window that is turned keeps what stands in the columns.
  return (
    <div {...root} className={styles.split} data-pair={places.length > 0 || undefined}>
      {parts.flatMap((part, place) => {
        const at = part === 'main' || !isWide ? undefined : part === 'side' ? 0 : 1
        const width = at === undefined ? undefined : fitting(shown[at])
        const column = (
          <div
            key={part}
            className={part === 'main' ? styles.main : styles.column}
            data-place={places[place]}
            style={width === undefined ? undefined : ({ '--width': `${width}px` } as CSSProperties)}
            // Columns scroll of their own where they stand side by side, and a keyboard must be able to scroll them.
            tabIndex={isWide && part === 'end' ? 0 : undefined}
          >
            {slots[part].all()}
          </div>
        )
        return part === 'main' || at === undefined || width === undefined ? [column] : [handle(part, at, width), column]
      })}
    </div>
  )
}
