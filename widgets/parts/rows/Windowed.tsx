import { useVirtualizer, useWindowVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type ReactNode, type RefObject, useLayoutEffect, useState } from 'react'
import type { SlotHandle } from '#renderer/widget-api.ts'

export type RowVirtualizer = Virtualizer<Window, HTMLElement> | Virtualizer<HTMLElement, HTMLElement>

interface WindowedProps {
  rows: SlotHandle
  /** px, an estimate until a row was measured. */
  rowHeight: number
  /** The element that holds the rows. */
  box: RefObject<HTMLElement | null>
  /** `margin`: px from the top of what scrolls to the box. Without a virtualizer the place is not known yet. */
  children: (virtual: RowVirtualizer | undefined, margin: number) => ReactNode
}
interface Place {
  scroller: HTMLElement | null
  margin: number
}

const overscan = 8

function placeOf(box: Element): Place {
  const scroller = scrollParent(box)
  const { top } = box.getBoundingClientRect()
  const margin = scroller ? top - scroller.getBoundingClientRect().top + scroller.scrollTop : top + window.scrollY
  return { scroller, margin: Math.round(margin) }
}

/** Determines the rows near the window, or near the visible part of the nearest scrolling ancestor. */
export function Windowed({ rows, rowHeight, box, children }: WindowedProps) {
  const [place, setPlace] = useState<Place>()
  useLayoutEffect(() => {
    const measure = () => {
      if (!box.current) return
      const now = placeOf(box.current)
      setPlace((before) => (before?.scroller === now.scroller && before.margin === now.margin ? before : now))
    }
    measure()
    const watch = new ResizeObserver(measure)
    watch.observe(document.body)
    return () => watch.disconnect()
  }, [box])
  if (!place) return children(undefined, 0)
  const options = {
    count: rows.count,
    estimateSize: () => rowHeight,
    getItemKey: rows.keyAt,
    overscan,
    scrollMargin: place.margin,
    useFlushSync: false,
  }
  return place.scroller ? (
    <InElement options={options} scroller={place.scroller} show={children} />
  ) : (
    <InWindow options={options} show={children} />
  )
}

interface PlacedProps {
  options: {
    count: number
    estimateSize: () => number
    getItemKey: (index: number) => string
    overscan: number
    scrollMargin: number
    useFlushSync: boolean
  }
  show: WindowedProps['children']
}

function InWindow({ options, show }: PlacedProps) {
  return show(useWindowVirtualizer<HTMLElement>(options), options.scrollMargin)
}

function InElement({ options, show, scroller }: PlacedProps & { scroller: HTMLElement }) {
  return show(useVirtualizer<HTMLElement, HTMLElement>({ ...options, getScrollElement: () => scroller }), options.scrollMargin)
}

/** The nearest scrolling ancestor; null when it is the window. */
function scrollParent(element: Element): HTMLElement | null {
  for (let up = element.parentElement; up && up !== document.body && up !== document.documentElement; up = up.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(up).overflowY)) return up
  }
  return null
}
