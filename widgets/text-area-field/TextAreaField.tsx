import { type CSSProperties, useEffect, useReducer } from 'react'
import { lengthOf } from '#contract/characters.ts'
import { type FieldGiven, useEngineText, useField, type ViewProps } from '#renderer/widget-api.ts'
import { FieldFrame } from '#widgets/parts/fields/FieldFrame.tsx'
import styles from '#widgets/parts/fields/field.module.css'
import { asText } from '#widgets/parts/fields/fieldValue.ts'
import { classes } from '#widgets/parts/look/classes.ts'
import own from '#widgets/text-area-field/TextAreaField.module.css'
import type { TextAreaFieldProps } from '#widgets/text-area-field/text-area-field.props.ts'

/** Grows with its text. Text that is too long is kept and reported, not truncated. */
export function TextAreaField({ root, props }: ViewProps<TextAreaFieldProps & FieldGiven>) {
  const field = useField()
  const { rows = 3, placeholder, maxLength, autoFocus = false } = props
  const { onChange, ...native } = field.native
  useEffect(() => {
    if (autoFocus) document.getElementById(field.id)?.focus()
  }, [autoFocus, field.id])
  const [, draw] = useReducer((n: number) => n + 1, 0)
  return (
    <FieldFrame
      root={root}
      field={field}
      aside={maxLength !== undefined && <Count length={lengthOf(asText(field.get()))} max={maxLength} />}
    >
      <textarea
        {...native}
        className={classes(styles.box, own.area)}
        rows={rows}
        style={{ '--rows': rows } as CSSProperties}
        placeholder={placeholder}
        onChange={(event) => {
          onChange(event)
          if (maxLength !== undefined) draw()
        }}
      />
    </FieldFrame>
  )
}

/** Announced only near the limit: announcing every key would disturb a screen reader user. */
function Count({ length, max }: { length: number; max: number }) {
  const say = useEngineText()
  const left = max - length
  return (
    <span className={classes('num', styles.count)} data-over={left < 0 || undefined}>
      <span aria-hidden="true">
        {length}/{max}
      </span>
      <span className="visually-hidden" role="status">
        {left <= Math.min(20, max / 5) ? say('widget.field_count', { n: length, max }) : ''}
      </span>
    </span>
  )
}
