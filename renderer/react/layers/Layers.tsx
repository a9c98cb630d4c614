import { useLayoutEffect, useRef } from 'react'
import { useNavigationType } from 'react-router-dom'
import { Beside } from '#renderer/react/layers/Beside.tsx'
import { PromptHost, ToastHost } from '#renderer/react/layers/PromptHost.tsx'

export interface LayersProps {
  pathname: string
  /** Address of the page that stands beside the shown one. */
  beside: string | undefined
  closeBeside: () => void
}

/**
 * What lies over the screens or beside them, and where a page is scrolled to.
 * @param from the page that the app began with; it may have been left before this came
 */
export function Layers({ pathname, from, beside, closeBeside }: LayersProps & { from: string }) {
  useScroll(pathname, from)
  return (
    <>
      {beside !== undefined && <Beside address={beside} close={closeBeside} />}
      <ToastHost />
      <PromptHost />
    </>
  )
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
