import { useSyncExternalStore } from 'react'

/** From this width on, screens that are `wide` use the whole window. The style sheets name the same width. */
const wide = typeof matchMedia === 'function' ? matchMedia('(min-width: 900px)') : undefined

function subscribe(wake: () => void): () => void {
  wide?.addEventListener('change', wake)
  return () => wide?.removeEventListener('change', wake)
}

export const isWide = (): boolean => wide?.matches ?? false

/** Whether the window has room for parts beside each other. */
export const useWide = (): boolean => useSyncExternalStore(subscribe, isWide)
