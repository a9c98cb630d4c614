import { coinCode, decimal, share, timeMs } from '#widgets/parts/props.ts'
import { z } from '#zod'

const price = () => decimal({ unit: 'price', coin: 'quote', per: 'base' })
const quantity = () => decimal({ unit: 'amount', coin: 'base' })

const quote = z.object({
  symbol: z.string(),
  last: price(),
  open24h: price(),
  high24h: price(),
  low24h: price(),
  volume24h: quantity(),
  change: share(),
  ts: timeMs(),
  seq: z.int(),
})

/**
 * A row of market.quotation and market.getQuota as a prop. Repeated here, because the contract's schema would load all of zod in the app; a
 * test compares the two.
 */
export const listing = z.object({
  match_id: z.int(),
  symbol: z.string(),
  name: z.string(),
  title: z.string(),
  base: coinCode(),
  quote: coinCode(),
  group: z.enum(['currency', 'stock', 'metal', 'index']),
  tick: price(),
  step: quantity(),
  source: z.enum(['simulator', 'binance', 'manual']),
  hot: z.boolean(),
  quote24h: quote,
  spark: z.array(price()),
})
