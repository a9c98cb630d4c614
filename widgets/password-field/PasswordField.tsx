import { useState } from 'react'
import { lazy, useEngineText, useField, type ViewProps } from '#renderer/widget-api.ts'
import { FieldFrame } from '#widgets/parts/fields/FieldFrame.tsx'
import styles from '#widgets/parts/fields/field.module.css'
import { asText } from '#widgets/parts/fields/fieldValue.ts'
import { classes } from '#widgets/parts/look/classes.ts'
import { Icon } from '#widgets/parts/look/Icon.tsx'
import type { PasswordFieldProps } from '#widgets/password-field/password-field.props.ts'

const Strength = lazy(() => import('#widgets/password-field/Strength.tsx'))

/** Pasting and password managers work; the value is neither trimmed nor truncated. The text is hidden again when the form is left. */
export function PasswordField({ root, props }: ViewProps<PasswordFieldProps>) {
  const field = useField()
  const say = useEngineText()
  const { autoComplete = 'current', strength = false, placeholder } = props
  const { onChange, ...native } = field.native
  const [shown, setShown] = useState(false)
  const [text, setText] = useState(() => (strength ? asText(field.get()) : ''))
  return (
    <FieldFrame root={root} field={field}>
      <div className={styles.box}>
        <input
          {...native}
          type={shown ? 'text' : 'password'}
          className={styles.inner}
          autoComplete={autoComplete === 'off' ? 'off' : `${autoComplete}-password`}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          placeholder={placeholder}
          onChange={(event) => {
            if (strength) setText(event.target.value)
            onChange(event)
          }}
        />
        <button
          type="button"
          className={classes('pressable', styles.tool)}
          aria-label={say('widget.password_show', { label: field.label })}
          aria-pressed={shown}
          aria-controls={field.id}
          disabled={!field.enabled}
          onClick={() => setShown(!shown)}
        >
          <Icon name={shown ? 'eye-off' : 'eye'} />
        </button>
      </div>
      {text !== '' && <Strength text={text} />}
    </FieldFrame>
  )
}
