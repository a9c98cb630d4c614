import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { scanFieldProps } from '#widgets/scan-field/scan-field.props.ts'

export const scanField = defineWidget({
  type: 'scan-field',
  props: scanFieldProps,
  events: ['read'],
  states: { loading: 'self', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/scan-field/ScanField.tsx')).ScanField })),
})
