import { decimal, market } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const depthChartProps = z.object({ symbol: market(), tick: decimal({ unit: 'price' }) })
export type DepthChartProps = z.output<typeof depthChartProps>
