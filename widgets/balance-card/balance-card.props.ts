import { coinCode, decimal, text, usd } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const balanceCardProps = z.object({
  label: text(),
  usd: usd().describe('value in USD, shown in the fiat currency of the reader'),
  btc: decimal({ unit: 'amount', coin: 'BTC' }).optional().describe('the same value in BTC'),
  amount: decimal({ unit: 'amount' }).optional().describe('an amount of one currency, shown large in place of the value'),
  unit: coinCode().optional().describe('code of that currency'),
  scale: z.int().min(0).max(18).optional().describe('decimals of that currency'),
  hidden: z.boolean().optional().describe('hides the amounts'),
})
export type BalanceCardProps = z.output<typeof balanceCardProps>
