import { decimal, text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const lineChartProps = z.object({
  label: text().describe('what is shown'),
  series: z
    .array(
      z.object({
        id: z.string(),
        label: text(),
        points: z
          .array(
            z.object({ at: z.int().describe('ms or s since 1970 UTC'), value: decimal().nullable().describe('null: a gap in the line') }),
          )
          .max(5_000)
          .describe('oldest first'),
        tone: z.enum(['accent', 'up', 'down', 'quiet']).optional().describe('accent unless given; a second one is blue'),
      }),
    )
    .max(2),
  area: z.boolean().optional().describe('the ground below the first line is filled'),
  percent: z.boolean().optional().describe('values are ratios: "0.0123" is 1.23 %'),
  tick: decimal().optional().describe('values are prices of this step, which decides their decimals'),
  unit: text().optional().describe('stands behind a value: USDT'),
  height: z.enum(['sm', 'md', 'lg']).optional().describe('md unless given'),
  hidden: z.boolean().optional().describe('amounts are covered; the shape stays'),
  emptyText: text().optional(),
})
export type LineChartProps = z.output<typeof lineChartProps>
