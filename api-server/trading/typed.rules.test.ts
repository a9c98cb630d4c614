import { expect, test } from 'vitest'
import * as kit from '#api-server/kit/terms.rules.ts'
import { misfitIn, termFieldsOf } from '#api-server/trading/typed.rules.ts'
import { type ContractTerms, type OptionTerms, type SpotTerms, type TradeProduct, termsOf } from '#contract/trading.ts'

const coins = { base: 'BTC', quote: 'USDT' }
const contract: ContractTerms = {
  lot_size: '0.01',
  lots_min: '0.01',
  lots_max: '1000',
  multiples: [5, 20],
  fee_rate: '0.0005',
  maintenance_rate: '0.005',
  overnight_rate: '0.0002',
  spread: '0',
  tolerance: '0.001',
}
const option: OptionTerms = { durations: [{ seconds: 60, payout_rate: '0.3', stake_min: '10', stake_max: '1000' }], tolerance: '0.001' }
const spot: SpotTerms = { maker_rate: '0.001', taker_rate: '0.001', value_min: '5', size_max: '100', price_band: '0.5', tolerance: '0.01' }

function readTerms(product: TradeProduct, before: object, typed: Record<string, string>): object {
  const found = kit.readTerms(termFieldsOf[product], termsOf[product].shape, before, typed)
  const wrong = 'terms' in found && misfitIn(found.terms, before)
  return wrong ? { wrong } : found
}
const typedTerms = (product: TradeProduct, terms: object, units: kit.TermUnits) => kit.typedTerms(termFieldsOf[product], terms, units)
const termChanges = (product: TradeProduct, before: object, after: object, units: kit.TermUnits) =>
  kit.termChanges(termFieldsOf[product], before, after, units)

test('terms are read back as they are shown', () => {
  for (const [product, terms] of [
    ['contract', contract],
    ['option', option],
    ['spot', spot],
  ] as const) {
    const typed = Object.fromEntries(typedTerms(product, terms, coins).map(({ name, value }) => [name, value]))
    expect(readTerms(product, terms, typed)).toEqual({ terms })
  }
})

test.each<[Record<string, string>, string]>([
  [{ fee_rate: '100' }, 'fee_rate'],
  [{ fee_rate: '-0.1' }, 'fee_rate'],
  [{ fee_rate: '5 %' }, 'fee_rate'],
  [{ fee_rate: '1e-3' }, 'fee_rate'],
  [{ lot_size: '0' }, 'lot_size'],
  [{ multiples: '20, 5' }, 'multiples'],
  [{ multiples: '5, 5' }, 'multiples'],
  [{ multiples: '1.5' }, 'multiples'],
  [{ multiples: 'many' }, 'multiples'],
  [{ multiples: '5, 200' }, 'maintenance_rate'],
  [{ spread: '10' }, 'spread'],
  [{ spread: '9', maintenance_rate: '0.6' }, 'maintenance_rate'],
  [{ maintenance_rate: '5' }, 'maintenance_rate'],
  [{ maintenance_rate: '0' }, 'maintenance_rate'],
  [{ maintenance_rate: '0.000' }, 'maintenance_rate'],
  [{ lots_min: '2000' }, 'lots_max'],
])('%o is refused at its member', (typed, wrong) => {
  expect(readTerms('contract', contract, typed)).toEqual({ wrong })
})

// The app sends the worst price of a market order, which must lie in the band.
test.each<[Record<string, string>, object]>([
  [{ tolerance: '2' }, { terms: { ...spot, tolerance: '0.02' } }],
  [{ tolerance: '0' }, { terms: { ...spot, tolerance: '0' } }],
  [{ tolerance: '50' }, { terms: { ...spot, tolerance: '0.5' } }],
  [{ tolerance: '51' }, { wrong: 'tolerance' }],
  [{ price_band: '0.5' }, { wrong: 'tolerance' }],
  [{ tolerance: '100' }, { wrong: 'tolerance' }],
])('terms of spot with %o', (typed, read) => {
  expect(readTerms('spot', spot, typed)).toEqual(read)
})

test.each(['fee_rate', 'overnight_rate', 'spread', 'tolerance'])('%s may be 0', (name) => {
  expect(readTerms('contract', contract, { [name]: '0' })).toEqual({ terms: { ...contract, [name]: '0' } })
})

test.each([
  '60',
  '60 30 10',
  '60 30 100 10',
  '60 0 10 100',
  '60 30 10 100\n60 40 10 100',
  '90000 30 10 100',
  'soon 30 10 100',
  '60 30 10 100 120 30 10 100',
])('durations %j are refused', (durations) => {
  expect(readTerms('option', option, { durations })).toEqual({ wrong: 'durations' })
})

test.each([
  [{ maker_rate: '0.2' }, { wrong: 'maker_rate' }],
  [{ taker_rate: '0.05' }, { wrong: 'maker_rate' }],
  [{ maker_rate: '0.2', taker_rate: '0.2' }, { terms: { ...spot, maker_rate: '0.002', taker_rate: '0.002' } }],
])('the fee of who makes a market is at most the fee of who takes one: %j', (typed, found) => {
  expect(readTerms('spot', spot, typed)).toEqual(found)
})

test('a change says what was there before; what is left empty stays', () => {
  const found = readTerms('contract', contract, { fee_rate: '0.1', multiples: '5, 20, 50', spread: '' }) as { terms: object }
  expect(termChanges('contract', contract, found.terms, coins)).toEqual([
    { name: 'multiples', value: '5, 20, 50', shown: '5×, 20×, 50×', choice: '', before: '5×, 20×' },
    { name: 'fee_rate', value: '0.1', shown: '0.1 %', choice: '', before: '0.05 %' },
  ])
})

test('terms are shown with their units', () => {
  const shown = (product: 'contract' | 'option' | 'spot', terms: object) => typedTerms(product, terms, coins).map((term) => term.shown)
  expect(shown('contract', contract)).toEqual([...['0.01 BTC', '0.01', '1000', '5×, 20×', '0.05 %', '0.5 %', '0.02 %', '0 %', '0.1 %']])
  expect(shown('option', option)).toEqual(['60 s: 30 %, 10–1000 USDT', '0.1 %'])
  expect(shown('spot', spot)).toEqual(['0.1 %', '0.1 %', '5 USDT', '100 BTC', '50 %', '1 %'])
})
