import type { ViewProps } from '#renderer/widget-api.ts'
import { SelectBox, type SelectBoxProps } from '#widgets/parts/fields/SelectBox.tsx'

export function SelectField({ root, props }: ViewProps<SelectBoxProps>) {
  return <SelectBox root={root} props={props} />
}
