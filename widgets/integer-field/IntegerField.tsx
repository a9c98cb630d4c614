import type { ViewProps } from '#renderer/widget-api.ts'
import { NumberBox, type NumberBoxProps } from '#widgets/parts/fields/NumberBox.tsx'

export function IntegerField({ root, props }: ViewProps<NumberBoxProps>) {
  return <NumberBox root={root} props={{ ...props, step: props.step ?? 1 }} decimals={0} />
}
