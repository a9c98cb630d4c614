import { z } from '#zod'

export const feedNoticeProps = z.object({
  simulated: z.boolean().describe('prices come from the simulator'),
  source: z.string().describe('price source: simulator, binance, manual'),
})
export type FeedNoticeProps = z.output<typeof feedNoticeProps>
