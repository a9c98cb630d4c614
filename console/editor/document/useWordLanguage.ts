import { useSyncExternalStore } from 'react'

/** In which language the operator reads the product's words. One choice for every page, kept in this browser. */
const key = 'console.words'
const wakes = new Set<() => void>()

function read(): string {
  return localStorage.getItem(key) ?? ''
}
function subscribe(wake: () => void): () => void {
  wakes.add(wake)
  return () => wakes.delete(wake)
}

/** @param offered languages of the set; the first that fits counts until another is chosen */
export function useWordLanguage(offered: readonly string[]): [string, (language: string) => void] {
  const chosen = useSyncExternalStore(subscribe, read)
  const language = offered.includes(chosen) ? chosen : offered.includes('en') ? 'en' : (offered[0] ?? 'en')
  return [
    language,
    (next) => {
      localStorage.setItem(key, next)
      for (const wake of wakes) wake()
    },
  ]
}
