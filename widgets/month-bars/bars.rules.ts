import type { MonthBarsProps } from '#widgets/month-bars/month-bars.props.ts'

type Month = MonthBarsProps['months'][number]

interface MonthBar extends Month {
  /** Ratio to the greatest count, in [0, 1]. */
  share: number
  /** Start of the month, ms UTC; undefined for an invalid month. */
  at: number | undefined
}

/** Heights of the bars relative to the greatest count; all 0 when there is none. */
export function barsOf(months: readonly Month[]): MonthBar[] {
  const most = Math.max(0, ...months.map(({ count }) => count))
  return months.map(({ month, count }) => {
    const [, year, number] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(month) ?? []
    return { month, count, share: most > 0 ? count / most : 0, at: year && number ? Date.UTC(Number(year), Number(number) - 1) : undefined }
  })
}
