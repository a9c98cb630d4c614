import { loadavg } from 'node:os'

/** One line of a bench: what was measured, what is asked, and whether it is so. */
export interface Bar {
  name: string
  measured: string
  bar: string
  /** undefined where a figure is only told. */
  met: boolean | undefined
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

export const short = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value >= 1 ? value.toFixed(2) : value.toFixed(3)

/** `1.23 (1.10–1.40)` */
export function spread(values: readonly number[], unit = ''): string {
  const middle = `${short(median(values))}${unit}`
  return values.length > 1 ? `${middle} (${short(Math.min(...values))}–${short(Math.max(...values))})` : middle
}

export const atMost = (name: string, value: number, limit: number, unit: string, more = ''): Bar => ({
  name,
  measured: `${short(value)}${unit}${more && `, ${more}`}`,
  bar: `≤ ${limit}${unit}`,
  met: value <= limit,
})
export const atLeast = (name: string, value: number, limit: number, unit: string, more = ''): Bar => ({
  name,
  measured: `${short(value)}${unit}${more && `, ${more}`}`,
  bar: `≥ ${limit}${unit}`,
  met: value >= limit,
})
export const told = (name: string, measured: string): Bar => ({ name, measured, bar: '', met: undefined })

/** Prints the table. With --strict a missed bar is exit code 1. */
export function report(title: string, bars: readonly Bar[]): void {
  const lines = bars.map(
    ({ name, measured, bar, met }) => `| ${name} | ${measured} | ${bar} | ${met === undefined ? '' : met ? 'yes' : 'NO'} |`,
  )
  console.log(`\n| ${title} | measured | bar | met |\n|---|---|---|---|\n${lines.join('\n')}\n`)
  console.log(`load of the machine: ${loadavg().map(short).join(' ')}`)
  if (process.argv.includes('--strict') && bars.some(({ met }) => met === false)) process.exitCode = 1
}

export function option(name: string, fallback: number): number {
  const text = process.argv.find((word) => word.startsWith(`--${name}=`))?.split('=')[1]
  return text === undefined ? fallback : Number(text)
}

/** Whether a part was asked for: all of them unless `--only=a,b`. */
export function wanted(part: string): boolean {
  const only = process.argv.find((word) => word.startsWith('--only='))?.split('=')[1]
  return only === undefined || only.split(',').includes(part)
}
