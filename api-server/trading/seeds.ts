import type { MarketInstrument } from '#api-server/market/market.reads.ts'
import type { ContractTerms, OptionTerms, SpotTerms, TradingCalendar } from '#contract/trading.ts'

/** Terms and calendars of a new platform. */

/** Base coin in one lot, so that a lot is worth some hundred USDT. */
const lotSizes: Record<string, string> = {
  BTC: '0.01',
  ETH: '0.1',
  BNB: '1',
  SOL: '1',
  XRP: '100',
  ADA: '100',
  DOGE: '1000',
  TRX: '1000',
  AVAX: '10',
  LINK: '10',
  DOT: '10',
  LTC: '1',
  BCH: '1',
  UNI: '10',
  ATOM: '10',
  NEAR: '10',
  AAPL: '1',
  MSFT: '1',
  NVDA: '1',
  TSLA: '1',
  AMZN: '1',
  GOOGL: '1',
  XAU: '0.1',
  XAG: '10',
  XPT: '1',
  XPD: '1',
  US500: '0.1',
  NAS100: '0.1',
  HK50: '0.1',
  JP225: '0.01',
}
const multiplesOf = { currency: [2, 5, 10, 20, 50, 100], stock: [1, 2, 5], metal: [5, 10, 20, 50], index: [5, 10, 20, 50] }

const contract = (base: string, group: keyof typeof multiplesOf): ContractTerms => ({
  lot_size: lotSizes[base] ?? '1',
  lots_min: '0.01',
  lots_max: '10000',
  multiples: multiplesOf[group],
  fee_rate: '0.0005',
  maintenance_rate: '0.005',
  overnight_rate: '0.0002',
  spread: '0',
  tolerance: '0.001',
})
const option: OptionTerms = {
  durations: [
    { seconds: 30, payout_rate: '0.2', stake_min: '10', stake_max: '5000' },
    { seconds: 60, payout_rate: '0.3', stake_min: '10', stake_max: '10000' },
    { seconds: 120, payout_rate: '0.4', stake_min: '50', stake_max: '10000' },
    { seconds: 300, payout_rate: '0.5', stake_min: '100', stake_max: '20000' },
  ],
  tolerance: '0.001',
}
const spot: SpotTerms = {
  maker_rate: '0.001',
  taker_rate: '0.001',
  value_min: '5',
  size_max: '1000000',
  price_band: '0.5',
  tolerance: '0.01',
}
/** Symbols whose base coin customers can hold. */
const spotSymbols = ['BTC', 'ETH', 'SOL', 'XRP', 'BNB', 'DOGE']

export const seedTerms = ({ symbol, base, group }: Pick<MarketInstrument, 'symbol' | 'base' | 'group'>) => [
  { symbol, product: 'contract' as const, terms: contract(base, group) },
  ...(group === 'currency' ? [{ symbol, product: 'option' as const, terms: option }] : []),
  ...(spotSymbols.includes(base) ? [{ symbol, product: 'spot' as const, terms: spot }] : []),
]

/** Regular sessions of the exchanges in New York, and their full holidays and early closes until the end of 2027. Source: NYSE, holidays and trading hours. */
const stocks: TradingCalendar = {
  zone: 'America/New_York',
  sessions: [1, 2, 3, 4, 5].map((day) => ({ day, from: '09:30', to: '16:00' })),
  holidays: [
    ...['2026-01-01', '2026-01-19', '2026-02-16', '2026-04-03', '2026-05-25', '2026-06-19', '2026-07-03', '2026-09-07', '2026-11-26'],
    ...['2026-12-25', '2027-01-01', '2027-01-18', '2027-02-15', '2027-03-26', '2027-05-31', '2027-06-18', '2027-07-05', '2027-09-06'],
    ...['2027-11-25', '2027-12-24'],
  ],
  days: ['2026-11-27', '2026-12-24', '2027-11-26'].map((date) => ({ date, sessions: [{ from: '09:30', to: '13:00' }] })),
}
export const calendarSeeds: Record<string, TradingCalendar> = { stock: stocks }
