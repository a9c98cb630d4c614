import { market, share } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const changeBadgeProps = z.object({
  symbol: market().optional().describe('live change of 24 hours'),
  value: share().optional().describe('ratio, "0.0123" is 1.23 %; with a symbol: shown until the feed speaks'),
})
export type ChangeBadgeProps = z.output<typeof changeBadgeProps>
