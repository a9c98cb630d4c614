import { Fragment, useRef } from 'react'
import type { SlotHandle } from '#renderer/widget-api.ts'
import { type RowVirtualizer, Windowed } from '#widgets/parts/rows/Windowed.tsx'

/** px; all rows have the same height, so none is measured. */
const rowHeight = 44

/** Rows near the window, between two rows that reserve the space of the others. */
export default function WindowedBody({ rows }: { rows: SlotHandle }) {
  const body = useRef<HTMLTableSectionElement>(null)
  return (
    <Windowed rows={rows} rowHeight={rowHeight} box={body}>
      {(virtual, margin) => {
        const { items, before, after } = spread(virtual, margin, rows.count)
        return (
          <tbody ref={body}>
            <tr style={{ height: before }} />
            {items.map((item) => (
              <Fragment key={item.key}>{rows.render(item.index)}</Fragment>
            ))}
            <tr style={{ height: after }} />
          </tbody>
        )
      }}
    </Windowed>
  )
}

function spread(virtual: RowVirtualizer | undefined, margin: number, count: number) {
  const items = virtual?.getVirtualItems() ?? []
  const first = items[0]
  const last = items.at(-1)
  if (!virtual || !first || !last) return { items: [], before: 0, after: count * rowHeight }
  return { items, before: first.start - margin, after: virtual.getTotalSize() - (last.end - margin) }
}
