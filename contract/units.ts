/**
 * What a number counts. `coin` is the member of the same row, or of a row around it, that names the coin, or the code of a coin in capitals
 * (`'currency_code'`, `'USD'`). `per` is the coin that a rate or a price is for one of. A share lies between 0 and 1: 0.25 is a quarter.
 */
export type Unit =
  | { unit: 'amount'; coin?: string }
  | { unit: 'rate' | 'price'; coin?: string; per?: string }
  | { unit: 'share' | 'lots' | 'ms' | 's' }
