import { useField, type ViewProps } from '#renderer/widget-api.ts'
import { DayBox } from '#widgets/parts/fields/DayBox.tsx'
import { FieldFrame } from '#widgets/parts/fields/FieldFrame.tsx'

interface DateFieldProps {
  min?: string
  max?: string
  autoComplete?: string
}

/** A date field. */
export function DateField({ root, props }: ViewProps<DateFieldProps>) {
  const field = useField()
  const { min, max, autoComplete = 'off' } = props
  return (
    <FieldFrame root={root} field={field}>
      <DayBox {...field.native} min={min} max={max} autoComplete={autoComplete} />
    </FieldFrame>
  )
}
