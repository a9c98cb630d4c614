import type { ViewProps } from '#renderer/widget-api.ts'
import { NumberBox, type NumberBoxProps } from '#widgets/parts/fields/NumberBox.tsx'
import { decimalsOf } from '#widgets/parts/fields/number.rules.ts'

export function DecimalField({ root, props }: ViewProps<NumberBoxProps>) {
  return <NumberBox root={root} props={props} decimals={decimalsOf(props.step === undefined ? undefined : String(props.step))} />
}
