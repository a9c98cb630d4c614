import { market } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const feedNoticeProps = z.object({
  simulated: z.boolean().describe('prices come from the simulator'),
  source: z.string().describe('where prices come from: simulator, binance, manual'),
  symbol: market()
    .optional()
    .describe('the age of the price of this market counts, as its orders are refused by; otherwise that of the last message'),
})
export type FeedNoticeProps = z.output<typeof feedNoticeProps>
