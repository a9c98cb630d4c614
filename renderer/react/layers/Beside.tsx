import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { createBeside } from '#renderer/engine/beside.ts'
import { pathOf } from '#renderer/engine/gate.rules.ts'
import { EngineContext, useEngine } from '#renderer/react/context.ts'
import { useLayer } from '#renderer/react/hooks/useLayer.ts'
import { ScreenLoader } from '#renderer/react/ScreenLoader.tsx'

interface BesideProps {
  /** Address inside the hash, as in `go`. */
  address: string
  close: () => void
}

/**
 * A page beside a wide screen, at the end of the window. Both are alive: the customer may go on in either. It takes the focus and gives it
 * back; Escape and the browser's back close it.
 */
export function Beside({ address, close }: BesideProps) {
  const outer = useEngine()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address is another visit
  const { engine, end } = useMemo(() => createBeside(outer, close), [outer, close, address])
  useEffect(() => end, [end])
  const box = useRef<HTMLElement>(null)
  useFocus(box, address)
  const path = pathOf(address)
  const isOpen = useSyncExternalStore(
    useCallback((wake: () => void) => outer.outer.subscribe('session', wake), [outer]),
    () => outer.gate.entry(path) === 'open',
  )
  useEffect(() => {
    if (!isOpen) close()
  }, [isOpen, close])
  const screen = engine.match(path)?.route.screen
  useLayer(screen !== undefined && isOpen, () => engine.back())
  const query = address.indexOf('?')
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    // A sheet of the page is no part of the box, and closes alone.
    const inside = event.target instanceof Node && box.current?.contains(event.target)
    if (event.key === 'Escape' && inside && !event.defaultPrevented) engine.back()
  }
  if (screen === undefined || !isOpen) return null
  return createPortal(
    <aside ref={box} className="beside" tabIndex={-1} aria-label={outer.say('engine.beside')} onKeyDown={onKeyDown}>
      <EngineContext value={engine}>
        <ScreenLoader key={address} id={screen} search={query < 0 ? '' : address.slice(query)} visit={address} />
      </EngineContext>
    </aside>,
    document.body,
  )
}

/** Focuses the box when it opens and when it gets another page. At its end the focus returns to where it was before, or to the page. */
function useFocus(box: { current: HTMLElement | null }, address: string): void {
  const before = useRef<Element | null>(null)
  useEffect(() => {
    before.current = document.activeElement
    return () => {
      const held = document.activeElement
      if (held !== null && held !== document.body) return
      const to = before.current
      if (to instanceof HTMLElement && to.isConnected) to.focus({ preventScroll: true })
      else document.getElementById('main')?.focus({ preventScroll: true })
    }
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address is another page
  useEffect(() => box.current?.focus({ preventScroll: true }), [box, address])
}
