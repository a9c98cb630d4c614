import { useSyncExternalStore } from 'react'

/** The language in which the operator reads the product's texts. One choice for all pages, stored in this browser. */
const key = 'console.words'
const wakes = new Set<() => void>()

function read(): string {
  return localStorage.getItem(key) ?? ''
}
function subscribe(wake: () => void): () => void {
  wakes.add(wake)
  return () => wakes.delete(wake)
}

/** @param offered languages of the draft; the default is English, else the first */
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
