import { type ComponentProps, useState } from 'react'
import { TextInput } from '#console/parts/Field.tsx'

interface SearchInputProps extends Omit<ComponentProps<typeof TextInput>, 'value' | 'onChange' | 'type'> {
  /** The current search; may follow `onSearch` with a delay, as an address does. */
  value: string
  onSearch(text: string): void
}

/** A search field that shows each key press at once, even when `value` follows later. A change of `value` from outside is shown as well. */
export function SearchInput({ value, onSearch, ...input }: SearchInputProps) {
  const [state, setState] = useState({ text: value, seen: value, sent: [] as string[] })
  if (value !== state.seen) {
    const own = state.sent.lastIndexOf(value)
    setState(own >= 0 ? { ...state, seen: value, sent: state.sent.slice(own + 1) } : { text: value, seen: value, sent: [] })
  }
  return (
    <TextInput
      {...input}
      type="search"
      value={state.text}
      onChange={({ target }) => {
        setState((before) => ({ ...before, text: target.value, sent: [...before.sent, target.value] }))
        onSearch(target.value)
      }}
    />
  )
}
