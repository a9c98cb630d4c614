import { defineWidget } from '#renderer/widget-api.ts'
import { Countdown } from '#widgets/countdown/Countdown.tsx'
import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const countdown = defineWidget({
  type: 'countdown',
  props: z.object({ to: z.int().nonnegative().describe('milliseconds since 1970 UTC'), label: text() }),
  events: ['done'],
  label: 'label',
  states: { loading: 'none', error: 'none' },
  view: Countdown,
})
