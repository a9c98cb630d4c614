import { type RefCallback, useCallback, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { createLink, type FrameLink, type FrameView } from '#console/preview/link.ts'
import type { NodePlace, Switches } from '#console/preview/protocol.ts'
import type { PreviewSet } from '#console/preview/sets.ts'

interface FrameOptions {
  set: PreviewSet | null
  switches: Switches
  selected?: NodePlace | null
  /** Time of the edit, by `performance.now()`. */
  editedAt?: () => number | undefined
  onPick?: (place: NodePlace | null) => void
  onWhere?: (address: string, screen: string | null) => void
}

interface Framed {
  link: FrameLink
  view: FrameView
  /** For the iframe's `ref`. */
  attach: RefCallback<HTMLIFrameElement>
  /** Reloads the frame at the page that it showed. */
  reload: () => void
}

/** Connects one preview frame and keeps it in the wanted state. */
export function useFrame({ set, switches, selected = null, editedAt, onPick, onWhere }: FrameOptions): Framed {
  const heard = useRef({ onPick, onWhere })
  useLayoutEffect(() => {
    heard.current = { onPick, onWhere }
  })
  const [link] = useState(() =>
    createLink({
      origin: location.origin,
      now: () => performance.now(),
      // Measured for the browser's developer tools.
      onPicture: (start, end) => void performance.measure('preview', { start, end }),
      onPick: (place) => heard.current.onPick?.(place),
      onWhere: (address, screen) => heard.current.onWhere?.(address, screen),
    }),
  )
  const view = useSyncExternalStore(link.subscribe, link.view)
  const frame = useRef<HTMLIFrameElement>(null)
  const attach = useCallback(
    (element: HTMLIFrameElement | null) => {
      frame.current = element
      link.attach(element?.contentWindow ?? null)
    },
    [link],
  )
  useLayoutEffect(() => {
    const hear = (event: MessageEvent) => link.hear(event)
    window.addEventListener('message', hear)
    return () => window.removeEventListener('message', hear)
  }, [link])
  useEffect(() => link.switches(switches), [link, switches])
  // biome-ignore lint/correctness/useExhaustiveDependencies: when it was typed belongs to the set
  useLayoutEffect(() => {
    if (set) link.show(set, editedAt?.())
  }, [link, set])
  const { document, node } = selected ?? {}
  useEffect(() => link.select(document !== undefined && node !== undefined ? { document, node } : null), [link, document, node])
  const reload = useCallback(() => frame.current?.contentWindow?.location.reload(), [])
  return { link, view, attach, reload }
}
