import { defineWidget } from '#renderer/widget-api.ts'
import { FeedNotice } from '#widgets/feed-notice/FeedNotice.tsx'
import { z } from '#zod'

export const feedNotice = defineWidget({
  type: 'feed-notice',
  props: z.object({
    simulated: z.boolean().describe('prices come from the simulator'),
    source: z.string().describe('where prices come from: simulator, binance, manual'),
  }),
  states: { loading: 'self', error: 'none' },
  view: FeedNotice,
})
