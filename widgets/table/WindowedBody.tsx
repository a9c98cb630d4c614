import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { Fragment, useLayoutEffect, useRef, useState } from 'react'
import type { SlotHandle } from '#renderer/widget-api.ts'

const rowHeight = 44

/** Rows near the window, between two rows that keep the place of the others. */
export default function WindowedBody({ rows }: { rows: SlotHandle }) {
  const body = useRef<HTMLTableSectionElement>(null)
  const [margin, setMargin] = useState(0)
  useLayoutEffect(() => {
    if (body.current) setMargin(Math.round(body.current.getBoundingClientRect().top + window.scrollY))
  }, [])
  const virtual = useWindowVirtualizer({
    count: rows.count,
    estimateSize: () => rowHeight,
    getItemKey: rows.keyAt,
    overscan: 12,
    scrollMargin: margin,
    useFlushSync: false,
  })
  const items = virtual.getVirtualItems()
  const before = items.length ? items[0]!.start - margin : 0
  const after = items.length ? virtual.getTotalSize() - (items.at(-1)!.end - margin) : rows.count * rowHeight
  return (
    <tbody ref={body}>
      <tr style={{ height: before }} />
      {items.map((item) => (
        <Fragment key={item.key}>{rows.render(item.index)}</Fragment>
      ))}
      <tr style={{ height: after }} />
    </tbody>
  )
}
