export type Direction = 'up' | 'down' | 'flat'

/**
 * Direction of a change as displayed in percent with two decimals: what is shown as 0.00 % is flat, whatever its sign.
 * @param ratio "0.0123" is 1.23 %
 */
export function directionOf(ratio: string | undefined): Direction {
  const value = Number(ratio)
  if (!(Math.abs(value) >= 0.00005)) return 'flat'
  return value > 0 ? 'up' : 'down'
}

/** Direction from the previous price to the current one, for colour only. */
export function stepOf(before: string | undefined, now: string | undefined): Direction {
  if (before === undefined || now === undefined || before === now) return 'flat'
  const difference = Number(now) - Number(before)
  return difference > 0 ? 'up' : difference < 0 ? 'down' : 'flat'
}
