import { useState } from 'react'
import { useWords } from '#console/io/words.ts'
import { classes } from '#console/parts/classes.ts'
import { TextInput } from '#console/parts/Field.tsx'
import styles from '#console/theme/Theme.module.css'
import { readColour, writeColour } from '#console/theme/tokens.rules.ts'

interface ColourFieldProps {
  label: string
  /** `#28ba98` or `#28ba9826`; undefined where the palette lacks it. */
  value: string | undefined
  changed: boolean
  disabled: boolean
  onChange: (value: string) => void
}

/** A picker and the same colour as text. What is no colour stays in the box and is not taken. */
export function ColourField({ label, value, changed, disabled, onChange }: ColourFieldProps) {
  const say = useWords()
  const [typed, setTyped] = useState<string | null>(null)
  const read = readColour(value ?? '')
  const shown = typed ?? value ?? ''
  return (
    <span className={classes(styles.colour, changed && styles.changed)}>
      <span className={styles.well}>
        <span className={styles.ink} style={{ background: value }} />
        <input
          type="color"
          aria-label={label}
          disabled={disabled}
          value={read?.solid ?? '#000000'}
          onChange={(event) => {
            setTyped(null)
            onChange(writeColour(event.target.value, read?.alpha ?? 100))
          }}
        />
      </span>
      <TextInput
        className={styles.hex}
        aria-label={say('review.theme.as_text', { name: label })}
        aria-invalid={readColour(shown) === undefined || undefined}
        disabled={disabled}
        maxLength={9}
        value={shown}
        onChange={(event) => {
          const next = event.target.value.trim()
          if (readColour(next)) {
            setTyped(null)
            onChange(next)
          } else setTyped(next)
        }}
        onBlur={() => setTyped(null)}
      />
    </span>
  )
}
