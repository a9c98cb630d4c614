import { useVirtualizer, useWindowVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import type { SlotHandle } from '#renderer/widget-api.ts'
import styles from '#widgets/list/List.module.css'
import { scrollParent } from '#widgets/parts/scrollParent.ts'

interface RowsProps {
  rows: SlotHandle
  /** px, estimate. */
  rowHeight: number
  label?: string
}
interface PlacedProps extends RowsProps {
  box: RefObject<HTMLUListElement | null>
  /** Distance from the top of what scrolls to the list, px. */
  margin: number
}

const overscan = 8

/** Only the rows near the window are in the page; against the window, or the nearest ancestor that scrolls. */
export default function WindowedRows(props: RowsProps) {
  const box = useRef<HTMLUListElement>(null)
  const [place, setPlace] = useState<{ scroller: HTMLElement | null; margin: number } | null>(null)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const measure = () => {
      const scroller = scrollParent(element)
      const top = element.getBoundingClientRect().top
      const margin = Math.round(scroller ? top - scroller.getBoundingClientRect().top + scroller.scrollTop : top + window.scrollY)
      setPlace((before) => (before && before.scroller === scroller && before.margin === margin ? before : { scroller, margin }))
    }
    measure()
    const watch = new ResizeObserver(measure)
    watch.observe(document.body)
    return () => watch.disconnect()
  }, [])
  if (!place) return <ul ref={box} aria-label={props.label} style={{ height: props.rows.count * props.rowHeight }} />
  return place.scroller ? (
    <InElement {...props} box={box} margin={place.margin} scroller={place.scroller} />
  ) : (
    <InWindow {...props} box={box} margin={place.margin} />
  )
}

function InWindow(props: PlacedProps) {
  const { rows, rowHeight, margin } = props
  const virtual = useWindowVirtualizer<HTMLLIElement>({
    count: rows.count,
    estimateSize: () => rowHeight,
    getItemKey: rows.keyAt,
    overscan,
    scrollMargin: margin,
    useFlushSync: false,
  })
  return <Placed {...props} virtual={virtual} />
}

function InElement(props: PlacedProps & { scroller: HTMLElement }) {
  const { rows, rowHeight, margin, scroller } = props
  const virtual = useVirtualizer<HTMLElement, HTMLLIElement>({
    count: rows.count,
    estimateSize: () => rowHeight,
    getItemKey: rows.keyAt,
    getScrollElement: () => scroller,
    overscan,
    scrollMargin: margin,
    useFlushSync: false,
  })
  return <Placed {...props} virtual={virtual} />
}

type AnyVirtualizer = Virtualizer<Window, HTMLLIElement> | Virtualizer<HTMLElement, HTMLLIElement>

function Placed({ rows, label, box, margin, virtual }: PlacedProps & { virtual: AnyVirtualizer }) {
  return (
    // biome-ignore lint/a11y/noRedundantRoles: a list without bullets loses its role in Safari
    <ul ref={box} role="list" aria-label={label} className={styles.window} style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map((item) => (
        <li
          key={item.key}
          ref={virtual.measureElement}
          data-index={item.index}
          className={styles.placed}
          aria-setsize={rows.count}
          aria-posinset={item.index + 1}
          style={{ '--top': `${item.start - margin}px` } as CSSProperties}
        >
          {rows.render(item.index)}
        </li>
      ))}
    </ul>
  )
}
