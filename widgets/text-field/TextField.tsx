import { useEffect } from 'react'
import { useEngineText, useField, type ViewProps } from '#renderer/widget-api.ts'
import { FieldFrame } from '#widgets/parts/fields/FieldFrame.tsx'
import styles from '#widgets/parts/fields/field.module.css'
import { fill } from '#widgets/parts/fields/fieldValue.ts'
import { classes } from '#widgets/parts/look/classes.ts'
import { Icon } from '#widgets/parts/look/Icon.tsx'
import own from '#widgets/text-field/TextField.module.css'
import type { TextFieldProps } from '#widgets/text-field/text-field.props.ts'

/** Autocorrection would be wrong in these types. */
const exact = new Set(['email', 'tel', 'url', 'numeric', 'decimal', 'none'])

export function TextField({ root, props }: ViewProps<TextFieldProps>) {
  const field = useField()
  const { inputMode, autoComplete = 'off', placeholder, prefix, suffix, clear = false, autoFocus = false } = props
  useEffect(() => {
    if (autoFocus) document.getElementById(field.id)?.focus()
  }, [autoFocus, field.id])
  const literal = exact.has(inputMode ?? '') || autoComplete === 'username'
  const bare = !prefix && !suffix && !clear
  const input = (
    <input
      {...field.native}
      type="text"
      className={bare ? styles.box : classes(styles.inner, own.text)}
      inputMode={inputMode}
      autoComplete={autoComplete}
      // The clear button is hidden by :placeholder-shown, which requires a placeholder.
      placeholder={placeholder ?? (clear ? ' ' : undefined)}
      autoCapitalize={literal ? 'none' : undefined}
      spellCheck={literal ? false : undefined}
    />
  )
  return (
    <FieldFrame root={root} field={field}>
      {bare ? (
        input
      ) : (
        <div className={classes(styles.box, own.around)}>
          {prefix && <span className={styles.affix}>{prefix}</span>}
          {input}
          {suffix && <span className={styles.affix}>{suffix}</span>}
          {clear && field.enabled && <Clear />}
        </div>
      )}
    </FieldFrame>
  )
}

function Clear() {
  const field = useField()
  const say = useEngineText()
  return (
    <button
      type="button"
      className={classes('pressable', styles.tool, own.clear)}
      aria-label={say('widget.field_clear', { label: field.label })}
      onClick={() => fill(field, '')?.focus()}
    >
      <Icon name="x" size={18} />
    </button>
  )
}
