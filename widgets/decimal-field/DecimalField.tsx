import type { FieldGiven, ViewProps } from '#renderer/widget-api.ts'
import type { DecimalFieldProps } from '#widgets/decimal-field/decimal-field.props.ts'
import { NumberBox } from '#widgets/parts/fields/NumberBox.tsx'
import { decimalsOf } from '#widgets/parts/fields/number.rules.ts'

export function DecimalField({ root, props }: ViewProps<DecimalFieldProps & FieldGiven>) {
  return (
    <NumberBox
      root={root}
      props={props}
      decimals={decimalsOf(
        props.step === undefined ? undefined : String(props.step),
        props.min === undefined ? undefined : String(props.min),
      )}
    />
  )
}
