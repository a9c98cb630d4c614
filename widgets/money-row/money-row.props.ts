import { coinCode, decimal, ref, text, usd } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const moneyRowProps = z.object({
  title: text(),
  note: text().optional(),
  coin: coinCode().optional().describe('code whose mark stands before the words'),
  icon: ref('icon').optional(),
  amount: decimal({ unit: 'amount' }),
  unit: coinCode().optional(),
  scale: z
    .int()
    .min(0)
    .max(18)
    .optional()
    .describe('decimals of the coin; the amount is filled up to two of them, and nothing is ever cut'),
  signed: z.boolean().optional().describe('+ and − with the colours of gain and loss'),
  usd: usd().optional().describe("worth in USD, shown in the reader's fiat"),
  sub: text().optional().describe('stands below the amount, in place of its worth'),
  hidden: z.boolean().optional().describe('amounts are covered'),
})
export type MoneyRowProps = z.output<typeof moneyRowProps>
