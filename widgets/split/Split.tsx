import { type CSSProperties, useEffect, useState } from 'react'
import { useWide, type ViewProps } from '#renderer/widget-api.ts'
import { ColumnHandle } from '#widgets/split/ColumnHandle.tsx'
import styles from '#widgets/split/Split.module.css'
import type { SplitProps } from '#widgets/split/split.props.ts'
import { fitting, withWidth } from '#widgets/split/widths.rules.ts'

type Part = 'main' | 'side' | 'end' | 'below'

/** The order of the document, and of the keyboard: what stands below main comes after the columns beside it. */
const beside: readonly Part[] = ['main', 'side', 'end', 'below']
const none: readonly never[] = []
/** Where the width of a column stands in the list of widths. */
const place = { side: 0, end: 1 } as const
/** A handle and its column, in a grid. A narrow window draws the column narrower. */
const widthOf = (px: number) => `auto minmax(min(15rem, 25%), ${px}px)`

/** Below each other on a phone. In a wide window side and end stand beside main, with widths of their own, and below stands under main. */
export function Split({ root, props, slots, emit, listens }: ViewProps<SplitProps, 'resize', Part>) {
  const { narrow = beside, pair = false, folded = none as readonly Part[], widths = none as readonly number[] } = props
  const isWide = useWide()
  // Dragged widths apply until the document reports which of them it kept.
  const [dragged, setDragged] = useState<readonly number[]>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: other widths end what was dragged
  useEffect(() => setDragged(undefined), [widths])
  const shown = dragged ?? widths
  const handle = (part: Part, at: number, width: number) => (
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
  const unfolded = narrow.filter((part) => !folded.includes(part))
  const parts = (isWide ? beside : unfolded).filter((part) => part === 'main' || slots[part].count > 0)
  const placeOf = (part: Part) => {
    if (isWide || !pair || (part !== 'side' && part !== 'end')) return undefined
    return parts.indexOf(part) < parts.indexOf(part === 'side' ? 'end' : 'side') ? 'first' : 'second'
  }
  const columns = (['side', 'end'] as const).filter((part) => slots[part].count > 0)
  // The same keys in both arrangements: a window that is turned keeps what stands in the columns.
  return (
    <div
      {...root}
      className={styles.split}
      data-pair={(!isWide && pair) || undefined}
      data-below={slots.below.count > 0 || undefined}
      style={isWide ? ({ '--columns': columns.map((part) => widthOf(fitting(shown[place[part]]))).join(' ') } as CSSProperties) : undefined}
    >
      {parts.flatMap((part) => {
        const at = isWide && (part === 'side' || part === 'end') ? place[part] : undefined
        const width = at === undefined ? undefined : fitting(shown[at])
        const column = (
          <div
            key={part}
            className={styles[part === 'side' || part === 'end' ? 'column' : part]}
            data-place={placeOf(part)}
            // Columns scroll of their own where they stand side by side, and a keyboard must be able to scroll them.
            tabIndex={isWide && part === 'end' ? 0 : undefined}
          >
            {slots[part].all()}
          </div>
        )
        return at === undefined || width === undefined ? [column] : [handle(part, at, width), column]
      })}
    </div>
  )
}
