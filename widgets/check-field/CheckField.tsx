import { useField, type ViewProps } from '#renderer/widget-api.ts'
import styles from '#widgets/check-field/CheckField.module.css'
import type { CheckFieldProps } from '#widgets/check-field/check-field.props.ts'
import { pieces } from '#widgets/check-field/links.rules.ts'
import { FieldNotes, hasNotes, requiredMark } from '#widgets/parts/fields/FieldFrame.tsx'
import frame from '#widgets/parts/fields/field.module.css'
import { useFieldValue } from '#widgets/parts/fields/fieldValue.ts'
import { classes } from '#widgets/parts/look/classes.ts'

/** A checkbox. Parts of the label may be links, which emit `link` with their id and do not change the checkbox. */
export function CheckField({ root, props, emit }: ViewProps<CheckFieldProps, 'link'>) {
  const field = useField()
  const [ticked, change] = useFieldValue(field, (value) => value === true)
  const { links = [] } = props
  return (
    <div {...root} className={frame.field} data-level={field.problem?.level}>
      <label className={frame.line}>
        <input
          ref={field.focusRef}
          id={field.id}
          type="checkbox"
          className={frame.tick}
          checked={ticked}
          disabled={!field.enabled}
          aria-label={links.length > 0 ? field.label : undefined}
          aria-required={field.native['aria-required']}
          aria-invalid={field.native['aria-invalid']}
          aria-describedby={field.native['aria-describedby']}
          onChange={(event) => change(event.target.checked)}
          onBlur={field.blur}
        />
        <span className={frame.words}>
          {pieces(field.label, links).map((piece) =>
            typeof piece === 'string' ? (
              piece
            ) : (
              <button
                key={piece.id}
                type="button"
                className={classes('pressable', styles.link)}
                onClick={(event) => {
                  // The press would otherwise toggle the checkbox through its label.
                  event.preventDefault()
                  emit('link', piece.id)
                }}
              >
                {piece.text}
              </button>
            ),
          )}
          {field.required && requiredMark}
        </span>
      </label>
      {hasNotes(field) && <FieldNotes field={field} />}
    </div>
  )
}
