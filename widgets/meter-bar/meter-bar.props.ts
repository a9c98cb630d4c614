import { share, text, tone } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const meterBarProps = z.object({
  label: text(),
  value: text().describe('the value as text, such as "120 of 200 BTC"'),
  ratio: share().describe('filled share: "0.25" is a quarter'),
  tone: tone().optional().describe('tone of the filled part; accent by default'),
})
export type MeterBarProps = z.output<typeof meterBarProps>
