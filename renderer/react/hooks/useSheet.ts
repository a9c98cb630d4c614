import { useCallback, useSyncExternalStore } from 'react'
import { useScreen } from '#renderer/react/context.ts'

/** Whether the screen has this sheet open, and how to close it. */
export function useSheet(nodeId: string): { open: boolean; close: () => void } {
  const { store } = useScreen()
  const open = useSyncExternalStore(
    useCallback((wake: () => void) => store.subscribe('$sheet', wake), [store]),
    () => store.openedSheet() === nodeId,
  )
  return { open, close: useCallback(() => store.openSheet(undefined), [store]) }
}
