import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const webView = defineWidget({
  type: 'web-view',
  props: z.object({
    url: z.string(),
    title: text().describe('names the page to assistive technology'),
    hosts: z.array(z.string()).max(50).describe('hosts that may be shown, exactly as written; https only'),
  }),
  label: 'title',
  view: lazyView(async () => ({ default: (await import('#widgets/web-view/WebView.tsx')).WebView })),
})
