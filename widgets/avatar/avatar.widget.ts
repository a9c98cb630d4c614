import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { avatarProps } from '#widgets/avatar/avatar.props.ts'

export const avatar = defineWidget({
  type: 'avatar',
  props: avatarProps,
  events: ['uploaded'],
  states: { loading: 'skeleton', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/avatar/Avatar.tsx')).Avatar })),
})
