import { decimal } from '#widgets/parts/props.ts'
import { z } from '#zod'

const quote = z.object({
  symbol: z.string(),
  last: decimal(),
  open24h: decimal(),
  high24h: decimal(),
  low24h: decimal(),
  volume24h: decimal(),
  change: decimal(),
  ts: z.int(),
  seq: z.int(),
})

/**
 * A row of the calls market.quotation and market.getQuota, as a prop. Written out here because the contract's own schema would bring
 * all of zod into the app; its test holds the two together.
 */
export const listing = z.object({
  match_id: z.int(),
  symbol: z.string(),
  name: z.string(),
  title: z.string(),
  base: z.string(),
  quote: z.string(),
  group: z.enum(['currency', 'stock', 'metal', 'index']),
  tick: decimal(),
  step: decimal(),
  source: z.enum(['simulator', 'binance', 'manual']),
  hot: z.boolean(),
  quote24h: quote,
  spark: z.array(decimal()),
})
