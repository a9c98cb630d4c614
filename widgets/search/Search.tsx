import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useEngineText, type ViewProps } from '#renderer/widget-api.ts'
import { classes } from '#widgets/parts/look/classes.ts'
import { Icon } from '#widgets/parts/look/Icon.tsx'
import styles from '#widgets/search/Search.module.css'
import type { SearchProps } from '#widgets/search/search.props.ts'

const settleMs = 150

export function Search({ root, props, emit }: ViewProps<SearchProps, 'change' | 'submit'>) {
  const { value = '', placeholder, label, autoFocus = false } = props
  const say = useEngineText()
  const [text, setText] = useState(value)
  const box = useRef<HTMLInputElement>(null)
  const emitted = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // A value set from outside (a chip, a reset) replaces the content of the box.
  useEffect(() => {
    if (value === emitted.current) return
    clearTimeout(timer.current)
    emitted.current = value
    setText(value)
  }, [value])
  useEffect(() => {
    if (autoFocus) box.current?.focus()
    return () => clearTimeout(timer.current)
  }, [autoFocus])
  const tell = (next: string) => {
    clearTimeout(timer.current)
    if (next === emitted.current) return
    emitted.current = next
    emit('change', next)
  }
  const type = (next: string) => {
    setText(next)
    clearTimeout(timer.current)
    timer.current = setTimeout(tell, settleMs, next)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    tell(text)
    emit('submit', text)
  }
  const clear = () => {
    setText('')
    tell('')
    box.current?.focus()
  }
  return (
    <search {...root}>
      <form className={styles.search} onSubmit={submit}>
        <Icon name="search" size={18} className={styles.icon} />
        <input
          ref={box}
          type="search"
          className={styles.box}
          value={text}
          placeholder={placeholder}
          aria-label={label}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="search"
          maxLength={100}
          onChange={(event) => type(event.target.value)}
        />
        {text !== '' && (
          <button type="button" className={classes('pressable', styles.clear)} aria-label={say('widget.search_clear')} onClick={clear}>
            <Icon name="x" size={18} />
          </button>
        )}
      </form>
    </search>
  )
}
