const dollars = new Set(['USD', 'USDT', 'USDC'])

/** Whether a price in this currency may be shown as an amount of US dollars, and so in the customer's fiat. */
export function isDollar(currency: string): boolean {
  return dollars.has(currency)
}
