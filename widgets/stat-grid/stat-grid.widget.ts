import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { statGridProps } from '#widgets/stat-grid/stat-grid.props.ts'

export const statGrid = defineWidget({
  type: 'stat-grid',
  props: statGridProps,
  states: { loading: 'self', error: 'card', empty: { prop: 'items', by: 'self' } },
  view: lazyView(async () => ({ default: (await import('#widgets/stat-grid/StatGrid.tsx')).StatGrid })),
})
