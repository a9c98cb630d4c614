import { useEffect, useReducer } from 'react'
import { elementAt, placeAt } from '#console/preview/frame/hidden-nodes.ts'
import type { NodePlace } from '#console/preview/protocol.ts'
import { branchAt } from '#renderer/inspector/find.ts'
import { Highlight } from '#renderer/inspector/Highlight.tsx'
import { Picker } from '#renderer/inspector/Picker.tsx'
import { flat, treeOf } from '#renderer/inspector/tree.ts'
import type { Watch } from '#renderer/inspector/watch.ts'

interface Props {
  watch: Watch
  picking: boolean
  selected: NodePlace | null
  picked: (place: NodePlace | null) => void
}

/** Interval at which the selected node's element is looked up again, because elements change without an event. */
const lookEveryMs = 200

/** Overlays of the app: the outline of the selected node, and the one that follows the pointer while a node is picked. */
export function Highlights({ watch, picking, selected, picked }: Props) {
  const [, look] = useReducer((n: number) => n + 1, 0)
  useEffect(() => {
    if (!selected) return
    const timer = setInterval(look, lookEveryMs)
    return () => clearInterval(timer)
  }, [selected])
  if (picking) {
    const trunks = treeOf(watch.live)
    const pick = (element: Element | null) => picked(placeAt(element, watch.live, branchAt(element, trunks)))
    return <Picker trunks={trunks} pick={pick} cancel={() => picked(null)} />
  }
  const element = selected && elementAt(selected, watch.live)
  if (!element) return null
  const branch = treeOf(watch.live)
    .flatMap(({ roots }) => flat(roots))
    .find(({ id }) => id === selected.node)
  return <Highlight element={element} label={{ id: selected.node, widget: branch?.widget ?? selected.document }} />
}
