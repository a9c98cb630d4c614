import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { qrCodeProps } from '#widgets/qr-code/qr-code.props.ts'

export const qrCode = defineWidget({
  type: 'qr-code',
  props: qrCodeProps,
  label: 'label',
  view: lazyView(async () => ({ default: (await import('#widgets/qr-code/QrCode.tsx')).QrCode })),
})
