import { useEditing } from '#console/editor/document/useEditing.tsx'
import { formOf } from '#console/editor/values/fields.rules.ts'
import { PathInput } from '#console/editor/values/PathInput.tsx'
import styles from '#console/editor/values/PlainField.module.css'
import { useWords } from '#console/io/words.ts'
import { Field, Select, TextInput } from '#console/parts/Field.tsx'
import { toText } from '#language/infix.ts'

interface PlainFieldProps {
  label: string
  pointer: string
  value: unknown
  /** Undefined: taken out. */
  onChange(value: unknown): void
}

/** An argument: a path that is read, or a constant. What is computed is shown, and changed in the JSON. */
export function PlainField({ label, pointer, value, onChange }: PlainFieldProps) {
  const say = useWords()
  const { editable } = useEditing()
  const form = formOf(value)
  const inside = form === 'path' ? String((value as { $: unknown }).$) : ''
  if (form === 'computed' || (form === 'constant' && typeof value === 'object' && value !== null))
    return (
      <Field label={label}>
        {(control) => (
          <output {...control} className={styles.shown}>
            {form === 'computed' ? toText((value as { $: unknown }).$) : JSON.stringify(value)}
          </output>
        )}
      </Field>
    )
  const isPath = form === 'path' || value === undefined
  return (
    <Field label={label}>
      {(control) => (
        <span className={styles.row}>
          <Select
            aria-label={say('editor.form_of', { name: label })}
            className={styles.form ?? ''}
            value={isPath ? 'path' : 'constant'}
            disabled={!editable}
            choices={[
              { value: 'path', label: say('editor.form_path') },
              { value: 'constant', label: say('editor.form_constant') },
            ]}
            onChoose={(next) => onChange(next === 'path' ? { $: '' } : '')}
          />
          {isPath ? (
            <PathInput
              control={control}
              pointer={pointer}
              path={inside}
              onChange={(path) => onChange(path === '' ? undefined : { $: path })}
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

/** A number stays a number while what is typed is one. */
function constant(typed: string, before: unknown): unknown {
  return typeof before === 'number' && /^-?\d+(?:\.\d+)?$/.test(typed) ? Number(typed) : typed
}
