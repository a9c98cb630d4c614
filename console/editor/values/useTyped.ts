import { useState } from 'react'

/**
 * What stands in a control while it is typed in: it may be wrong for a while (`1.`, half a path), so it is not the document's value. When the
 * document changes by another hand, the control shows that.
 */
export function useTyped(written: string): [string, (text: string) => void, (sent: string) => void] {
  const [typed, setTyped] = useState({ text: written, from: written })
  if (typed.from !== written) setTyped({ text: written, from: written })
  return [
    typed.from === written ? typed.text : written,
    (text) => setTyped((before) => ({ ...before, text })),
    // What was sent comes back as the document's value: then what was typed stays as it was typed.
    (sent) => setTyped((before) => ({ ...before, from: sent })),
  ]
}
