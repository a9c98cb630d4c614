const dollars = new Set(['USD', 'USDT', 'USDC'])

/** Whether a price in this currency may be treated as US dollars and converted to the customer's currency. */
export function isDollar(currency: string): boolean {
  return dollars.has(currency)
}
