import { useEffect, useRef } from 'react'
import { useBlocker } from 'react-router-dom'

/** Functions that close the open dialogs, that of the topmost one last. */
const open: (() => void)[] = []

/** Lets the browser's back close a dialog while it is open; see `useCloseOnBack`. */
export function useBackCloses(isOpen: boolean, onClose: () => void): void {
  const latest = useRef(onClose)
  useEffect(() => {
    latest.current = onClose
  })
  useEffect(() => {
    if (!isOpen) return
    const close = () => latest.current()
    open.push(close)
    return () => void open.splice(open.indexOf(close), 1)
  }, [isOpen])
}

/**
 * Back closes the topmost dialog and stays on the page. Used once, under the router, which has one blocker. The router cannot hold back what
 * leaves the console itself: on the first page of a visit, back does that.
 */
export function useCloseOnBack(): void {
  const blocker = useBlocker(({ historyAction }) => historyAction === 'POP' && open.length > 0)
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    blocker.reset()
    open.at(-1)?.()
  }, [blocker])
}
