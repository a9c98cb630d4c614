import { defineWidget } from '#renderer/widget-api.ts'
import { Grid } from '#widgets/grid/Grid.tsx'
import { gridProps } from '#widgets/grid/grid.props.ts'

export const grid = defineWidget({
  type: 'grid',
  props: gridProps,
  slots: { body: {} },
  states: { loading: 'self', error: 'self' },
  view: Grid,
})
