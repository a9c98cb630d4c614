import { useState } from 'react'

/**
 * The text of a control while it is typed in. It may be incomplete (`1.`, half a path), so it is not the document's value. When something else
 * changes the document, the control shows the new value.
 */
export function useTyped(written: string): [string, (text: string) => void, (sent: string) => void] {
  const [typed, setTyped] = useState({ text: written, from: written })
  if (typed.from !== written) setTyped({ text: written, from: written })
  return [
    typed.from === written ? typed.text : written,
    (text) => setTyped((before) => ({ ...before, text })),
    // The sent value returns as the document's value; the typed text stays as it is.
    (sent) => setTyped((before) => ({ ...before, from: sent })),
  ]
}
