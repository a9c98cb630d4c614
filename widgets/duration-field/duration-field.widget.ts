import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { share } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const durationField = defineWidget({
  type: 'duration-field',
  props: z.object({
    durations: z
      .array(z.object({ seconds: z.int(), payout_rate: share() }))
      .describe('what each of the options, whose ids are seconds, pays'),
  }),
  states: { loading: 'self', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/duration-field/DurationField.tsx')).DurationField })),
})
