/** An amount split for showing: its sign as a character of its own, and its size as decimal text without one. Zero has no sign. */
export function signedParts(amount: string): { sign: '+' | '−' | ''; size: string } {
  const size = amount.startsWith('-') ? amount.slice(1) : amount
  const nothing = /^0*(?:\.0*)?$/.test(size)
  return { sign: nothing ? '' : amount.startsWith('-') ? '−' : '+', size }
}
