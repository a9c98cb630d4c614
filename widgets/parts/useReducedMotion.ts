import { useSyncExternalStore } from 'react'

const wants = typeof matchMedia === 'function' ? matchMedia('(prefers-reduced-motion: reduce)') : undefined

function subscribe(wake: () => void): () => void {
  wants?.addEventListener('change', wake)
  return () => wants?.removeEventListener('change', wake)
}

/** Whether the system's setting asks for reduced motion. */
export function useReducedMotion(): boolean {
  return useSyncExternalStore(subscribe, () => wants?.matches ?? false)
}
