import { useEditing } from '#console/editor/document/useEditing.tsx'
import { formOf } from '#console/editor/values/fields.rules.ts'
import { LogicInput } from '#console/editor/values/LogicInput.tsx'
import styles from '#console/editor/values/PlainField.module.css'
import { useWords } from '#console/io/words.ts'
import { Field, Select, TextInput } from '#console/parts/Field.tsx'

interface PlainFieldProps {
  label: string
  pointer: string
  value: unknown
  /** Undefined removes the argument. */
  onChange(value: unknown): void
}

/** An argument: an expression or a constant. A constant list or object is shown here and edited in the JSON. */
export function PlainField({ label, pointer, value, onChange }: PlainFieldProps) {
  const say = useWords()
  const { editable } = useEditing()
  if (formOf(value) === 'constant' && typeof value === 'object' && value !== null)
    return (
      <Field label={label}>
        {(control) => (
          <output {...control} className={styles.shown}>
            {JSON.stringify(value)}
          </output>
        )}
      </Field>
    )
  const isExpression = formOf(value) === 'expression' || value === undefined
  return (
    <Field label={label}>
      {(control) => (
        <span className={styles.row}>
          <Select
            aria-label={say('editor.form_of', { name: label })}
            className={styles.form ?? ''}
            value={isExpression ? 'expression' : 'constant'}
            disabled={!editable}
            choices={(['expression', 'constant'] as const).map((form) => ({ value: form, label: say(`editor.form_${form}`) }))}
            onChoose={(next) => onChange(next === 'expression' ? { $: '' } : '')}
          />
          {isExpression ? (
            <LogicInput
              control={control}
              pointer={pointer}
              logic={(value as { $?: unknown } | undefined)?.$}
              onChange={(text) => onChange(text === '' ? undefined : { $: text })}
            />
          ) : (
            <TextInput
              {...control}
              value={String(value)}
              disabled={!editable}
              onChange={(event) => onChange(constant(event.target.value, value))}
            />
          )}
        </span>
      )}
    </Field>
  )
}

/** A number stays a number while the typed text is one. */
function constant(typed: string, before: unknown): unknown {
  return typeof before === 'number' && /^-?\d+(?:\.\d+)?$/.test(typed) ? Number(typed) : typed
}
