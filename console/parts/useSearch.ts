import { useLayoutEffect, useRef } from 'react'
import { useSearchParams } from 'react-router-dom'

/**
 * The filters of a page, which its address holds, so that a page can be shared and opened again.
 * @returns the filters, `put` to set one of them ('' clears it), and `clear` for all
 */
export function useSearch(): { search: URLSearchParams; put(name: string, value: string): void; clear(): void } {
  const [search, setSearch] = useSearchParams()
  // The address follows later than the change. A second change meanwhile must not bring back what the first one has cleared.
  const waiting = useRef(new Map<string, string>())
  useLayoutEffect(() => {
    for (const [name, value] of waiting.current) if ((search.get(name) ?? '') === value) waiting.current.delete(name)
  })
  const go = (next: URLSearchParams) => setSearch(next, { replace: true })
  return {
    search,
    put(name, value) {
      waiting.current.set(name, value)
      const next = new URLSearchParams(search)
      for (const [one, wanted] of waiting.current) {
        if (wanted === '') next.delete(one)
        else next.set(one, wanted)
      }
      go(next)
    },
    clear() {
      waiting.current.clear()
      go(new URLSearchParams())
    },
  }
}
