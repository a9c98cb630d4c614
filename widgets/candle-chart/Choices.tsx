import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import styles from '#widgets/candle-chart/CandleChart.module.css'

interface ChoicesProps<T extends string> {
  label: string
  options: readonly { id: T; label: string; face: ReactNode }[]
  value: T
  onChange: (id: T) => void
}

/** A radio group in one line, which scrolls when it is too long; arrow keys move. */
export function Choices<T extends string>({ label, options, value, onChange }: ChoicesProps<T>) {
  const box = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another value brings another button into sight
  useEffect(() => {
    const chosen = box.current?.querySelector<HTMLElement>('[aria-checked="true"]')
    if (box.current && chosen) box.current.scrollLeft = chosen.offsetLeft - (box.current.clientWidth - chosen.offsetWidth) / 2
  }, [value])
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' || event.key === 'ArrowDown' ? 1 : event.key === 'ArrowLeft' || event.key === 'ArrowUp' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const at = options.findIndex(({ id }) => id === value)
    const next = (at + step + options.length) % options.length
    box.current?.querySelectorAll<HTMLElement>('[role="radio"]')[next]?.focus()
    onChange(options[next]!.id)
  }
  return (
    <div ref={box} role="radiogroup" aria-label={label} className={styles.choices} onKeyDown={onKeyDown}>
      {options.map(({ id, label: name, face }) => (
        // biome-ignore lint/a11y/useSemanticElements: a button keeps the press of the app's other segments
        <button
          key={id}
          type="button"
          role="radio"
          aria-checked={id === value}
          aria-label={name}
          tabIndex={id === value ? 0 : -1}
          className={styles.choice}
          onClick={() => id !== value && onChange(id)}
        >
          <span>{face}</span>
        </button>
      ))}
    </div>
  )
}
