import { useEffect, useState } from 'react'

const pauseMs = 300

/**
 * Text of a search box. `search` gets it, trimmed, when typing pauses.
 * @param value the text that is searched for
 */
export function useTyped(value: string, search: (text: string) => void): [typed: string, type: (text: string) => void] {
  const [typed, setTyped] = useState(value)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed counts
  useEffect(() => {
    if (typed.trim() === value) return
    const timer = setTimeout(() => search(typed.trim()), pauseMs)
    return () => clearTimeout(timer)
  }, [typed])
  return [typed, setTyped]
}
