import type { ViewProps } from '#renderer/widget-api.ts'
import { Segments } from '#widgets/parts/fields/Segments.tsx'
import type { SegmentedProps } from '#widgets/segmented/segmented.props.ts'

/** A choice among a few options, outside a form. */
export function Segmented({ root, props, emit, enabled }: ViewProps<SegmentedProps, 'change'>) {
  const { options, value, label, scroll } = props
  return (
    <Segments
      root={root}
      choose={(id) => emit('change', id)}
      options={options}
      value={value}
      label={label}
      scroll={scroll}
      enabled={enabled}
    />
  )
}
