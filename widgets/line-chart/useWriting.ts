import { useMemo } from 'react'
import { useFormat, useLanguage } from '#renderer/widget-api.ts'
import { axisForm } from '#widgets/line-chart/axis.rules.ts'
import type { LineChartProps } from '#widgets/line-chart/line-chart.props.ts'
import type { TimeTick } from '#widgets/line-chart/times.rules.ts'
import { dateFormat } from '#widgets/parts/values/dates.rules.ts'

/** The document's settings for the format of values. */
export type Writing = Pick<LineChartProps, 'percent' | 'tick' | 'unit' | 'hidden'>

/** Formats values and times for the reader. */
export function useWriting({ percent = false, tick, unit }: Writing) {
  const format = useFormat()
  const { tag } = useLanguage()
  return useMemo(() => {
    const bare = (text: string) => (percent ? format.percent(text) : tick === undefined ? format.amount(text) : format.price(text, tick))
    const times = (options: Intl.DateTimeFormatOptions) => dateFormat(tag, options)
    const labels: Record<TimeTick['says'], Intl.DateTimeFormat> = {
      time: times({ hour: '2-digit', minute: '2-digit' }),
      day: times({ day: 'numeric', month: 'short' }),
      month: times({ month: 'short' }),
      year: times({ year: 'numeric' }),
    }
    const minutes = times({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })
    const days = times({ day: 'numeric', month: 'short', year: 'numeric' })
    const percents = new Map<number, Intl.NumberFormat>()
    return {
      value: (text: string) => (unit && !percent ? `${bare(text)} ${unit}` : bare(text)),
      /** An axis value, as short as the tick distance allows. */
      axis: (text: string, step: string) => {
        const form = axisForm(text, step, percent)
        if (form.kind === 'compact') return format.compact(text)
        if (form.kind === 'amount') return format.amount(text)
        const { decimals } = form
        let short = percents.get(decimals)
        if (!short)
          percents.set(
            decimals,
            (short = new Intl.NumberFormat(tag, { style: 'percent', minimumFractionDigits: decimals, maximumFractionDigits: decimals })),
          )
        const written = short.format(Number(text))
        return /[1-9]/.test(written) ? written : short.format(0)
      },
      label: ({ at, says }: TimeTick) =>
        // Only the number of the year: in some languages an era precedes it, which would overlap the next label.
        (says === 'year' && labels.year.formatToParts(at).find(({ type }) => type === 'year')?.value) || labels[says].format(at),
      moment: (at: number, byTheMinute: boolean) => (byTheMinute ? minutes : days).format(at),
    }
  }, [format, tag, percent, tick, unit])
}
