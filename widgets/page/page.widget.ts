import { defineWidget } from '#renderer/widget-api.ts'
import { Page } from '#widgets/page/Page.tsx'
import { pageProps } from '#widgets/page/page.props.ts'

export const page = defineWidget({
  type: 'page',
  props: pageProps,
  slots: { head: {}, body: {}, foot: {} },
  states: { loading: 'self', error: 'self' },
  view: Page,
})
