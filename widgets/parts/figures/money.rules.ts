/** Splits an amount into its sign and unsigned decimal text. Zero has no sign. */
export function signedParts(amount: string): { sign: '+' | '−' | ''; size: string } {
  const size = amount.startsWith('-') ? amount.slice(1) : amount
  const nothing = /^0*(?:\.0*)?$/.test(size)
  return { sign: nothing ? '' : amount.startsWith('-') ? '−' : '+', size }
}
