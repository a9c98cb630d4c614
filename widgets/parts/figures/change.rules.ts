export type Direction = 'up' | 'down' | 'flat'

/**
 * Direction of a change as it is written with two decimals of a percent: what reads 0.00 % is flat, whatever its sign.
 * @param ratio "0.0123" is 1.23 %
 */
export function directionOf(ratio: string | undefined): Direction {
  const value = Number(ratio)
  if (!(Math.abs(value) >= 0.00005)) return 'flat'
  return value > 0 ? 'up' : 'down'
}

/** Whether a price went up or down from the one before; for colour only. */
export function stepOf(before: string | undefined, now: string | undefined): Direction {
  if (before === undefined || now === undefined || before === now) return 'flat'
  const difference = Number(now) - Number(before)
  return difference > 0 ? 'up' : difference < 0 ? 'down' : 'flat'
}
