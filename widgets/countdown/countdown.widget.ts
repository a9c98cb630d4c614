import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { text, timeMs } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const countdown = defineWidget({
  type: 'countdown',
  props: z.object({ to: timeMs().describe('milliseconds since 1970 UTC'), label: text() }),
  events: ['done'],
  label: 'label',
  states: { loading: 'none', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/countdown/Countdown.tsx')).Countdown })),
})
