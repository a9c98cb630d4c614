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

/** Elements come and go without telling; the frame around the selected one looks for it this often. */
const lookEveryMs = 200

/** What lies over the app: the frame around the selected node, and the one that follows the pointer while a node is picked. */
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
