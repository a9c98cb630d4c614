import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { searchProps } from '#widgets/search/search.props.ts'

export const search = defineWidget({
  type: 'search',
  props: searchProps,
  events: ['change', 'submit'],
  label: 'label',
  states: { loading: 'self', error: 'self' },
  view: lazyView(async () => ({ default: (await import('#widgets/search/Search.tsx')).Search })),
})
