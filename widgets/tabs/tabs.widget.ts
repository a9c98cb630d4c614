import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { tabsProps } from '#widgets/tabs/tabs.props.ts'

export const tabs = defineWidget({
  type: 'tabs',
  props: tabsProps,
  events: ['change'],
  slots: { panel: {} },
  label: 'label',
  states: { loading: 'self', error: 'self' },
  view: lazyView(async () => ({ default: (await import('#widgets/tabs/Tabs.tsx')).Tabs })),
})
