import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useNavigationType } from 'react-router-dom'
import { pathOf } from '#renderer/engine/gate.rules.ts'
import { useEngine } from '#renderer/react/context.ts'
import { isWide } from '#renderer/react/hooks/useWide.ts'
import { Beside } from '#renderer/react/layers/Beside.tsx'
import { PromptHost, ToastHost } from '#renderer/react/layers/PromptHost.tsx'

export interface LayersProps {
  pathname: string
  /** The screen uses the whole of a wide window. */
  wide: boolean
}

/**
 * What lies over the screens or beside them, and where a page is scrolled to.
 * @param from the page that the app began with; it may have been left before this came
 */
export function Layers({ pathname, wide, from }: LayersProps & { from: string }) {
  useScroll(pathname, from)
  const { beside, close } = useBeside(pathname, wide)
  return (
    <>
      {beside !== undefined && <Beside address={beside} close={close} />}
      <ToastHost />
      <PromptHost />
    </>
  )
}

/** Address of the page that stands beside the shown one, which it stays with while that changes its own parameters. */
function useBeside(pathname: string, wide: boolean): { beside: string | undefined; close: () => void } {
  const engine = useEngine()
  const [beside, setBeside] = useState<{ address: string; pathname: string }>()
  const close = useCallback(() => setBeside(undefined), [])
  useLayoutEffect(() => {
    engine.setBeside((address) => {
      if (!wide || !isWide() || engine.gate.entry(pathOf(address)) !== 'open') return false
      setBeside({ address, pathname })
      return true
    })
    return () => engine.setBeside(undefined)
  }, [engine, pathname, wide])
  // biome-ignore lint/correctness/useExhaustiveDependencies: it goes with its screen
  useEffect(() => close, [close, pathname])
  return { beside: beside?.pathname === pathname ? beside.address : undefined, close }
}

/** Focusing measures the whole page, so it waits for the frame that measures it anyway. */
function afterPaint(run: () => void): void {
  requestAnimationFrame(() => setTimeout(run))
}

/** Unless the new page has taken the focus itself. */
function focusMain(): void {
  const main = document.getElementById('main')
  if (!main?.contains(document.activeElement)) main?.focus({ preventScroll: true })
}

/** A new page begins at its top with focus on it; going back finds the old place. */
function useScroll(pathname: string, from: string): void {
  const kind = useNavigationType()
  const places = useRef(new Map<string, number>())
  const last = useRef(from)
  useLayoutEffect(() => {
    const table = places.current
    const before = last.current
    last.current = pathname
    if (before !== pathname) {
      const top = kind === 'POP' ? (table.get(pathname) ?? 0) : 0
      if (top > 0 || (table.get(before) ?? 0) > 0) scrollTo(0, top)
      if (top > 0) requestAnimationFrame(() => scrollTo(0, top))
      if (kind !== 'POP') afterPaint(focusMain)
    }
    const note = () => table.set(pathname, scrollY)
    if (before === pathname) note()
    addEventListener('scroll', note, { passive: true })
    return () => removeEventListener('scroll', note)
  }, [pathname, kind])
}
