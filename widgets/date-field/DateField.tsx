import { type FieldGiven, useField, type ViewProps } from '#renderer/widget-api.ts'
import type { DateFieldProps } from '#widgets/date-field/date-field.props.ts'
import { DayBox } from '#widgets/parts/fields/DayBox.tsx'
import { FieldFrame } from '#widgets/parts/fields/FieldFrame.tsx'

/** A date field. */
export function DateField({ root, props }: ViewProps<DateFieldProps & FieldGiven>) {
  const field = useField()
  const { min, max, autoComplete = 'off' } = props
  return (
    <FieldFrame root={root} field={field}>
      <DayBox {...field.native} min={min} max={max} autoComplete={autoComplete} />
    </FieldFrame>
  )
}
