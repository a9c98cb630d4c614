import { type ComponentProps, useEffect, useRef, useState } from 'react'
import { TextInput } from '#console/parts/Field.tsx'

interface SearchInputProps extends Omit<ComponentProps<typeof TextInput>, 'value' | 'onChange' | 'type'> {
  /** The current search; may follow `onSearch` with a delay, as an address does. */
  value: string
  onSearch(text: string): void
  /** `onSearch` gets the text, trimmed, once typing has paused for this long. Without it: each key press at once. */
  pauseMs?: number
}

/** A search field that shows each key press at once, even when `value` follows later. A change of `value` from outside is shown as well. */
export function SearchInput({ value, onSearch, pauseMs, ...input }: SearchInputProps) {
  const [state, setState] = useState({ text: value, seen: value, sent: [] as string[] })
  if (value !== state.seen) {
    const own = state.sent.lastIndexOf(value)
    setState(own >= 0 ? { ...state, seen: value, sent: state.sent.slice(own + 1) } : { text: value, seen: value, sent: [] })
  }
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  // After a pause the page may be another one than when the key was pressed, so its newest function is called, and the text may be gone.
  const latest = useRef({ onSearch, text: state.text })
  latest.current = { onSearch, text: state.text }
  const send = (text: string) => {
    setState((before) => ({ ...before, sent: [...before.sent, text] }))
    latest.current.onSearch(text)
  }
  return (
    <TextInput
      {...input}
      type="search"
      value={state.text}
      onChange={({ target: { value: text } }) => {
        setState((before) => ({ ...before, text }))
        if (pauseMs === undefined) return send(text)
        clearTimeout(timer.current)
        timer.current = setTimeout(() => {
          if (latest.current.text === text) send(text.trim())
        }, pauseMs)
      }}
    />
  )
}
