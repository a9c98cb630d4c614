import { coinCode, decimal, text, usd } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const balanceCardProps = z.object({
  label: text(),
  usd: usd().describe("worth in USD, shown in the reader's fiat"),
  btc: decimal({ unit: 'amount', coin: 'BTC' }).optional().describe('the same in BTC'),
  amount: decimal({ unit: 'amount' }).optional().describe('an amount of one coin, shown large in place of the worth'),
  unit: coinCode().optional().describe('code of that coin'),
  scale: z.int().min(0).max(18).optional().describe('decimals of that coin'),
  hidden: z.boolean().optional().describe('amounts are covered'),
})
export type BalanceCardProps = z.output<typeof balanceCardProps>
