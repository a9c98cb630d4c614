import type { MonthBarsProps } from '#widgets/month-bars/month-bars.props.ts'

type Month = MonthBarsProps['months'][number]

interface MonthBar extends Month {
  /** Of the greatest count, in [0, 1]. */
  share: number
  /** First moment of the month, ms UTC; undefined for what is no month. */
  at: number | undefined
}

/** Heights of bars, relative to the greatest of them. No count at all: every bar is flat. */
export function barsOf(months: readonly Month[]): MonthBar[] {
  const most = Math.max(0, ...months.map(({ count }) => count))
  return months.map(({ month, count }) => {
    const [, year, number] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(month) ?? []
    return { month, count, share: most > 0 ? count / most : 0, at: year && number ? Date.UTC(Number(year), Number(number) - 1) : undefined }
  })
}
