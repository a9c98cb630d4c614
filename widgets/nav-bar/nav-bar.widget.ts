import { defineWidget } from '#renderer/widget-api.ts'
import { NavBar } from '#widgets/nav-bar/NavBar.tsx'
import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const navBar = defineWidget({
  type: 'nav-bar',
  props: z.object({
    title: text(30),
    back: z.boolean().optional().describe('a back button, unless false; without an action of its own it goes one page back'),
  }),
  events: ['back'],
  slots: { right: {} },
  states: { loading: 'self', error: 'self' },
  view: NavBar,
})
