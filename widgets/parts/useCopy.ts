import { useEffect, useRef, useState } from 'react'

export type Copied = 'no' | 'yes' | 'refused'
const shownMs = 2_000

/** Puts text on the clipboard and says for two seconds whether it went well. */
export function useCopy(): [copied: Copied, copy: (text: string) => void] {
  const [copied, setCopied] = useState<Copied>('no')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const show = (next: Copied) => {
    clearTimeout(timer.current)
    setCopied(next)
    timer.current = setTimeout(setCopied, shownMs, 'no')
  }
  return [
    copied,
    (text) => {
      // Absent where the page is not secure.
      const done = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'))
      done.then(
        () => show('yes'),
        () => show('refused'),
      )
    },
  ]
}
