import { share, text, tone } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const meterBarProps = z.object({
  label: text(),
  value: text().describe('the figures in words, such as "120 of 200 BTC"'),
  ratio: share().describe('share that is filled: "0.25" is a quarter'),
  tone: tone().optional().describe('of the filled part; accent unless given'),
})
export type MeterBarProps = z.output<typeof meterBarProps>
