import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { worthTabsProps } from '#widgets/worth-tabs/worth-tabs.props.ts'

export const worthTabs = defineWidget({
  type: 'worth-tabs',
  props: worthTabsProps,
  events: ['change'],
  label: 'label',
  states: { loading: 'self', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/worth-tabs/WorthTabs.tsx')).WorthTabs })),
})
