import { writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'

/** One line of a benchmark: the measured value, the limit, and whether the limit is met. */
export interface Bar {
  name: string
  measured: string
  bar: string
  /** undefined for a figure without a limit. */
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
export const reported = (name: string, measured: string): Bar => ({ name, measured, bar: '', met: undefined })

export interface Report {
  title: string
  /** The command that produced it. */
  command: string
  bars: readonly Bar[]
  /** Load average of the machine at the end: one, five and fifteen minutes. */
  load: readonly number[]
}

/** A Markdown table of one benchmark. */
export function tableOf({ title, bars }: Pick<Report, 'title' | 'bars'>): string {
  const lines = bars.map(
    ({ name, measured, bar, met }) => `| ${name} | ${measured} | ${bar} | ${met === undefined ? '' : met ? 'yes' : 'NO'} |`,
  )
  return `| ${title} | measured | bar | met |\n|---|---|---|---|\n${lines.join('\n')}`
}

/**
 * Prints the table; `--out=file` also writes it as JSON, so that several can be combined. With --strict a missed limit gives exit code 1.
 */
export function report(title: string, bars: readonly Bar[], command: string): void {
  const load = loadavg()
  console.log(`\n${tableOf({ title, bars })}\n\nload of the machine: ${load.map(short).join(' ')}`)
  const out = text('out')
  const asked = process.argv.slice(2).filter((word) => !word.startsWith('--out='))
  if (out)
    writeFileSync(out, JSON.stringify({ title, command: [command, ...(asked.length ? ['--', ...asked] : [])].join(' '), bars, load }))
  if (process.argv.includes('--strict') && bars.some(({ met }) => met === false)) process.exitCode = 1
}

/** Returns the value of `--name=…`. */
export function text(name: string): string | undefined {
  return process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3)
}

export function option(name: string, fallback: number): number {
  const given = text(name)
  return given === undefined ? fallback : Number(given)
}

/** Whether a part was requested: all parts unless `--only=a,b`. */
export function wanted(part: string): boolean {
  const only = text('only')
  return only === undefined || only.split(',').includes(part)
}
