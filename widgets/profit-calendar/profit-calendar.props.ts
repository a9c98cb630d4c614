import { coinCode, decimal, text } from '#widgets/parts/props.ts'
import { z } from '#zod'

const amount = () => decimal({ unit: 'amount', coin: 'currency_code' })

export const profitCalendarProps = z.object({
  label: text(),
  month: z.string().nullable().optional().describe('2026-11, in UTC; this month unless given'),
  currency_code: coinCode(),
  days: z
    .array(
      z.object({
        date: z.string().describe('2026-11-24, in UTC'),
        result: amount().describe('after fees'),
        fee: amount(),
        closes: z.int().nonnegative().describe('positions that were closed on the day'),
        options: z.int().nonnegative().optional().describe('options that were settled on the day'),
      }),
    )
    .max(31)
    .describe('days on which there was something'),
  result: amount().describe('of the month, after fees'),
  fee: amount().describe('of the month'),
  emptyTitle: text().optional(),
  emptyText: text().optional(),
})
export type ProfitCalendarProps = z.output<typeof profitCalendarProps>
export type Day = ProfitCalendarProps['days'][number]
