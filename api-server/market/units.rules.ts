/**
 * Inside the market, prices and sizes are integers of the instrument's smallest decimal ("units"): exact, comparable and fast.
 * These functions convert text to units and back; nothing is rounded on the way in.
 */

const decimalText = /^(0|[1-9]\d{0,14})(?:\.(\d{1,20}))?$/

/** Number of decimals of a step, such as 2 for "0.01" and 0 for "5". */
export function decimalsOf(step: string): number {
  return step.split('.')[1]?.length ?? 0
}

/**
 * Converts decimal text to units.
 * @param text plain decimal, no sign, no exponent
 * @param scale decimals of a unit
 * @returns undefined for other text, for more decimals than `scale` (apart from trailing zeros), or for a number too large to be exact
 */
export function toUnits(text: string, scale: number): number | undefined {
  const found = text.length > 41 ? null : decimalText.exec(text)
  if (!found) return undefined
  const fraction = (found[2] ?? '').replace(/0+$/, '')
  if (fraction.length > scale) return undefined
  const units = Number(found[1] + fraction.padEnd(scale, '0'))
  return Number.isSafeInteger(units) ? units : undefined
}

/** Like `toUnits`, but truncates decimals beyond `scale`. For sizes that are only summed for display. */
export function toUnitsCut(text: string, scale: number): number | undefined {
  const dot = text.indexOf('.')
  return toUnits(
    dot < 0 || text.length - dot - 1 <= scale ? text : scale === 0 ? text.slice(0, dot) : text.slice(0, dot + 1 + scale),
    scale,
  )
}

/** Converts units to text with `scale` decimals: 6123450 at scale 2 is "61234.50". */
export function fromUnits(units: number, scale: number): string {
  if (scale === 0) return String(units)
  const digits = String(Math.abs(units)).padStart(scale + 1, '0')
  return `${units < 0 ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/** (now − before) / before as text with six decimals, rounded half away from zero; "0.000000" when `before` is not above 0. */
export function changeRatio(now: number, before: number): string {
  if (before <= 0) return '0.000000'
  const difference = BigInt(now) - BigInt(before)
  const doubled = (difference < 0n ? -difference : difference) * 2_000_000n
  const millionths = (doubled + BigInt(before)) / (2n * BigInt(before))
  return fromUnits(Number(difference < 0n ? -millionths : millionths), 6)
}
