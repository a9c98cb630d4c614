import type { FieldGiven, ViewProps } from '#renderer/widget-api.ts'
import type { IntegerFieldProps } from '#widgets/integer-field/integer-field.props.ts'
import { NumberBox } from '#widgets/parts/fields/NumberBox.tsx'

export function IntegerField({ root, props }: ViewProps<IntegerFieldProps & FieldGiven>) {
  return <NumberBox root={root} props={{ ...props, step: props.step ?? 1 }} decimals={0} />
}
