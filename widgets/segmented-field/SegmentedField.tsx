import { type FieldGiven, useField, type ViewProps } from '#renderer/widget-api.ts'
import { FieldFrame } from '#widgets/parts/fields/FieldFrame.tsx'
import { asText, useFieldValue } from '#widgets/parts/fields/fieldValue.ts'
import { Segments } from '#widgets/parts/fields/Segments.tsx'
import type { SegmentedFieldProps } from '#widgets/segmented-field/segmented-field.props.ts'

/** A choice among a few visible options: buy or sell, market or limit. */
export function SegmentedField({ root, props }: ViewProps<SegmentedFieldProps & FieldGiven>) {
  const { options = [], tones, scroll, hideLabel = false } = props
  const field = useField()
  const [value, change] = useFieldValue(field, asText)
  return (
    <FieldFrame root={root} field={field} group="radiogroup" hideLabel={hideLabel}>
      <Segments
        enabled={field.enabled}
        choose={change}
        focusRef={field.focusRef}
        options={options}
        value={value}
        tones={tones}
        scroll={scroll}
      />
    </FieldFrame>
  )
}
