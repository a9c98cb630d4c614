import { coinCode, decimal, ref, text, usd } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const moneyRowProps = z.object({
  title: text(),
  note: text().optional(),
  coin: coinCode().optional().describe('currency code; its icon is shown before the text'),
  icon: ref('icon').optional(),
  amount: decimal({ unit: 'amount' }),
  unit: coinCode().optional(),
  scale: z
    .int()
    .min(0)
    .max(18)
    .optional()
    .describe('decimals of the currency; the amount has at least two decimals if the currency does, and is never truncated'),
  signed: z.boolean().optional().describe('shows the sign, with the colours of gain and loss'),
  usd: usd().optional().describe('value in USD, shown in the fiat currency of the reader'),
  sub: text().optional().describe('shown below the amount in place of its value'),
  hidden: z.boolean().optional().describe('hides the amounts'),
})
export type MoneyRowProps = z.output<typeof moneyRowProps>
