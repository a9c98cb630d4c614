import { fiats } from '#contract/calls/wallet.calls.ts'
import { parseAmount, plain } from '#contract/money.ts'

export type Fiat = (typeof fiats)[number]
/** Units of a currency for one USD, as exact text. */
export interface Rate {
  currency_code: Fiat
  rate: string
}
export interface Rates {
  list: Rate[]
  /** `embedded`, or the host of the provider. */
  source: string
}
export interface StoredRates extends Rates {
  /** ms UTC */
  fetchedAt: number
}

export const ratesKeptMs = 86_400_000

/** Whether rates must be fetched: there are none, they come from another source, they are a day old, or their time lies in the future. */
export function isDue(stored: StoredRates | undefined, source: string, now: number): boolean {
  if (!stored || stored.source !== source) return true
  return Math.abs(now - stored.fetchedAt) > ratesKeptMs
}

/** Reads a rate given as text or number. Numbers with an exponent are ignored. */
function rateText(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  const amount = typeof text === 'string' ? parseAmount(text) : undefined
  return amount?.gt(0) ? plain(amount) : undefined
}

function listIn(answer: unknown): unknown[] | undefined {
  if (Array.isArray(answer)) return answer
  if (typeof answer !== 'object' || answer === null) return undefined
  const { data, list, rates } = answer as Record<string, unknown>
  for (const part of [data, list, rates]) {
    if (Array.isArray(part)) return part
    if (part !== undefined && part !== answer) return listIn(part)
  }
  return undefined
}

/**
 * Reads a public table of rates against USD: a list, alone or under data, list or rates, whose items have `currency_code` and `rate`
 * (or `exchange_rate`). Only the currencies of the app are used, in the app's order; USD is 1 by definition.
 * @returns undefined when there is no such list, or it has none of the currencies besides USD
 */
export function readRates(answer: unknown): Rate[] | undefined {
  const found = new Map<string, string>()
  for (const item of listIn(answer) ?? []) {
    if (typeof item !== 'object' || item === null) continue
    const { currency_code, rate, exchange_rate } = item as Record<string, unknown>
    const text = rateText(rate ?? exchange_rate)
    if (typeof currency_code === 'string' && text !== undefined && !found.has(currency_code)) found.set(currency_code, text)
  }
  found.set('USD', '1')
  const list = fiats.flatMap((currency_code) => {
    const rate = found.get(currency_code)
    return rate === undefined ? [] : [{ currency_code, rate }]
  })
  return list.length > 1 ? list : undefined
}

/** Rates for an installation without RATES_URL: rounded figures, labelled as embedded. */
export const embeddedRates: Rates = {
  source: 'embedded',
  list: [
    { currency_code: 'USD', rate: '1' },
    { currency_code: 'CNY', rate: '7.15' },
    { currency_code: 'GBP', rate: '0.76' },
    { currency_code: 'HKD', rate: '7.8' },
    { currency_code: 'JPY', rate: '152' },
    { currency_code: 'EUR', rate: '0.87' },
    { currency_code: 'AED', rate: '3.6725' },
    { currency_code: 'THB', rate: '32.5' },
    { currency_code: 'PHP', rate: '58.5' },
    { currency_code: 'SGD', rate: '1.3' },
    { currency_code: 'VND', rate: '26300' },
  ],
}
