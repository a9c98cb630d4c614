import type { FieldGiven, ViewProps } from '#renderer/widget-api.ts'
import { SelectBox } from '#widgets/parts/fields/SelectBox.tsx'
import type { SelectFieldProps } from '#widgets/select-field/select-field.props.ts'

export function SelectField({ root, props }: ViewProps<SelectFieldProps & FieldGiven>) {
  return <SelectBox root={root} props={props} />
}
