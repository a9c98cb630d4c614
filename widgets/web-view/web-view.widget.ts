import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { webViewProps } from '#widgets/web-view/web-view.props.ts'

export const webView = defineWidget({
  type: 'web-view',
  props: webViewProps,
  label: 'title',
  view: lazyView(async () => ({ default: (await import('#widgets/web-view/WebView.tsx')).WebView })),
})
