import { z } from '#zod'

export const feedNoticeProps = z.object({
  simulated: z.boolean().describe('prices come from the simulator'),
  source: z.string().describe('where prices come from: simulator, binance, manual'),
})
export type FeedNoticeProps = z.output<typeof feedNoticeProps>
