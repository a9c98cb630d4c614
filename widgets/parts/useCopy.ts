import { useEffect, useRef, useState } from 'react'

export type Copied = 'no' | 'yes' | 'refused'
const shownMs = 2_000

/** Copies text to the clipboard and reports the result for two seconds. */
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
      // Not available on insecure pages.
      const done = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'))
      done.then(
        () => show('yes'),
        () => show('refused'),
      )
    },
  ]
}
