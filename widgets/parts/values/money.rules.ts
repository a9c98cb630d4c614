/** Splits an amount into its sign and unsigned decimal text. Zero has no sign; an absent amount, as a row of data may have, no digits. */
export function signedParts(amount: string | null | undefined): { sign: '+' | '−' | ''; size: string } {
  if (!amount) return { sign: '', size: '' }
  const size = amount.startsWith('-') ? amount.slice(1) : amount
  const nothing = /^0*(?:\.0*)?$/.test(size)
  return { sign: nothing ? '' : amount.startsWith('-') ? '−' : '+', size }
}
