import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { areaFieldProps } from '#widgets/area-field/area-field.props.ts'

export const areaField = defineWidget({
  type: 'area-field',
  props: areaFieldProps,
  states: { loading: 'self', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/area-field/AreaField.tsx')).AreaField })),
})
