import { decimal, text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const lineChartProps = z.object({
  label: text().describe('accessible name: what the chart shows'),
  series: z
    .array(
      z.object({
        id: z.string(),
        label: text(),
        points: z
          .array(
            z.object({
              at: z.int().describe('ms or s since 1970 UTC'),
              value: decimal().nullable().describe('null for a gap in the line'),
            }),
          )
          .max(5_000)
          .describe('oldest first'),
        tone: z.enum(['accent', 'up', 'down', 'quiet']).optional().describe('accent by default, blue for the second line'),
      }),
    )
    .max(2),
  area: z.boolean().optional().describe('fills the area below the first line'),
  percent: z.boolean().optional().describe('values are ratios: "0.0123" is 1.23 %'),
  tick: decimal().optional().describe('values are prices with this step, which sets the number of decimals'),
  unit: text().optional().describe('shown after values: USDT'),
  height: z.enum(['sm', 'md', 'lg']).optional().describe('md by default'),
  hidden: z.boolean().optional().describe('hides the amounts; the line stays visible'),
  emptyText: text().optional(),
})
export type LineChartProps = z.output<typeof lineChartProps>
