import { useField, type ViewProps } from '#renderer/widget-api.ts'
import { FieldNotes, hasNotes, requiredMark } from '#widgets/parts/fields/FieldFrame.tsx'
import styles from '#widgets/parts/fields/field.module.css'
import { useFieldValue } from '#widgets/parts/fields/fieldValue.ts'
import { classes } from '#widgets/parts/look/classes.ts'
import own from '#widgets/switch-field/SwitchField.module.css'

/** On or off; takes effect when the form is sent. */
export function SwitchField({ root }: ViewProps) {
  const field = useField()
  const [on, change] = useFieldValue(field, (value) => value === true)
  return (
    <div {...root} className={styles.field} data-level={field.problem?.level}>
      <label className={classes(styles.line, own.line)}>
        <span className={styles.words}>
          {field.label}
          {field.required && requiredMark}
        </span>
        <input
          ref={field.focusRef}
          id={field.id}
          type="checkbox"
          role="switch"
          className={own.rail}
          checked={on}
          aria-checked={on}
          disabled={!field.enabled}
          aria-required={field.native['aria-required']}
          aria-invalid={field.native['aria-invalid']}
          aria-describedby={field.native['aria-describedby']}
          onChange={(event) => change(event.target.checked)}
          onBlur={field.blur}
        />
      </label>
      {hasNotes(field) && <FieldNotes field={field} />}
    </div>
  )
}
