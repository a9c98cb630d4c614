/** 1 for a long position, -1 for a short one. @throws RangeError for any other word */
export function signOf(side: string): 1 | -1 {
  if (side !== 'long' && side !== 'short') throw new RangeError(`a position is long or short, not ${side}`)
  return side === 'long' ? 1 : -1
}
