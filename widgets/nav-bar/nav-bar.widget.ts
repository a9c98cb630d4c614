import { defineWidget } from '#renderer/widget-api.ts'
import { NavBar } from '#widgets/nav-bar/NavBar.tsx'
import { navBarProps } from '#widgets/nav-bar/nav-bar.props.ts'

export const navBar = defineWidget({
  type: 'nav-bar',
  props: navBarProps,
  events: ['back'],
  slots: { right: {} },
  states: { loading: 'self', error: 'self' },
  view: NavBar,
})
