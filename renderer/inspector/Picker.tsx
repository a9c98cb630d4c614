import { useEffect, useEffectEvent, useState } from 'react'
import { branchAt, ownRoot } from '#renderer/inspector/find.ts'
import { Highlight } from '#renderer/inspector/Highlight.tsx'
import type { Trunk } from '#renderer/inspector/tree.ts'

interface Props {
  trunks: readonly Trunk[]
  pick: (element: Element | null) => void
  cancel: () => void
}

const own = (target: EventTarget | null) => target instanceof Element && target.closest(`#${ownRoot}`) !== null

/** The next press on the screen names a node in place of doing what it would do. */
export function Picker({ trunks, pick, cancel }: Props) {
  const [under, setUnder] = useState<Element>()
  const move = useEffectEvent((event: PointerEvent) => {
    const element = own(event.target) ? undefined : ((event.target as Element).closest('[data-node]') ?? undefined)
    if (element !== under) setUnder(element)
  })
  const press = useEffectEvent((event: Event) => {
    if (own(event.target)) return
    event.preventDefault()
    event.stopPropagation()
    if (event.type === 'click') pick(event.target as Element)
  })
  const key = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    cancel()
  })
  useEffect(() => {
    const end = new AbortController()
    const options = { capture: true, signal: end.signal }
    window.addEventListener('pointermove', (event) => move(event), options)
    for (const type of ['pointerdown', 'mousedown', 'click']) window.addEventListener(type, (event) => press(event), options)
    window.addEventListener('keydown', (event) => key(event), options)
    document.documentElement.dataset.picking = 'true'
    return () => {
      end.abort()
      delete document.documentElement.dataset.picking
    }
  }, [])
  return under ? <Highlight element={under} label={branchAt(under, trunks)} /> : null
}
