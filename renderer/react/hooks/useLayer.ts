import { useEffectEvent, useLayoutEffect } from 'react'
import { useEngine } from '#renderer/react/context.ts'

/**
 * A layer over the page: the browser's back, and that of the phone, closes it and does not leave the page. Every dialog, sheet, menu and
 * large picture calls this.
 * @param close does what its own close button does
 */
export function useLayer(open: boolean, close: () => void): void {
  const { ui } = useEngine()
  const end = useEffectEvent(close)
  useLayoutEffect(() => (open ? ui.cover(() => end()) : undefined), [ui, open])
}
