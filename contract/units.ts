/**
 * The unit of a number. `coin` is the member of the same row, or of an outer row, that names the currency, or a currency code in capitals
 * (`'currency_code'`, `'USD'`). `per` is the currency of which a rate or price is for one unit. A share lies between 0 and 1: 0.25 is a
 * quarter.
 */
export type Unit =
  | { unit: 'amount'; coin?: string }
  | { unit: 'rate' | 'price'; coin?: string; per?: string }
  | { unit: 'share' | 'lots' | 'ms' | 's' }
