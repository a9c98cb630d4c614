import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { z } from '#zod'

export const sessionRow = defineWidget({
  type: 'session-row',
  props: z.object({
    device: z.string().optional().describe('browser and system; empty when unknown'),
    ip: z.string().optional(),
    place: z.string().optional(),
    seen: z.number().meta({ unit: 'ms' }).describe('when it was used last, in ms'),
    current: z.boolean().optional(),
  }),
  events: ['end'],
  states: { loading: 'self', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/session-row/SessionRow.tsx')).SessionRow })),
})
