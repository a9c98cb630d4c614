import { expect, test } from 'vitest'
import { embeddedRates, isDue, type Rate, ratesKeptMs, readRates, type StoredRates } from '#api-server/rates/rates.rules.ts'
import { fiats } from '#contract/calls/wallet.calls.ts'

const eur = { currency_code: 'EUR', rate: '0.87' }
const both: Rate[] = [
  { currency_code: 'USD', rate: '1' },
  { currency_code: 'EUR', rate: '0.87' },
]

test.each<[name: string, answer: unknown, read: Rate[] | undefined]>([
  ['a bare list', [eur], both],
  ['under data', { data: [eur] }, both],
  ['under rates', { base: 'USD', rates: [eur] }, both],
  ['a list in data', { data: { list: [eur] } }, both],
  ['the alternative name of the rate', [{ currency_code: 'EUR', exchange_rate: '0.87' }], both],
  ['as a number', [{ currency_code: 'EUR', rate: 0.87 }], both],
  ['other currencies are left out', [eur, { currency_code: 'CHF', rate: '0.8' }, { currency_code: '__proto__', rate: '1' }], both],
  ['the first of two rates counts', [eur, { currency_code: 'EUR', rate: '9' }], both],
  ['USD is always 1', [eur, { currency_code: 'USD', rate: '2' }], both],
  [
    'the order of the app',
    [
      { currency_code: 'EUR', rate: '0.87' },
      { currency_code: 'CNY', rate: '7' },
    ],
    [both[0]!, { currency_code: 'CNY', rate: '7' }, both[1]!],
  ],
  ['a rate of zero is ignored', [{ currency_code: 'EUR', rate: '0' }], undefined],
  ['below zero', [{ currency_code: 'EUR', rate: '-1' }], undefined],
  ['words', [{ currency_code: 'EUR', rate: 'NaN' }], undefined],
  ['an exponent', [{ currency_code: 'EUR', rate: 1e-9 }], undefined],
  ['infinite', [{ currency_code: 'EUR', rate: Number.POSITIVE_INFINITY }], undefined],
  ['items of another type', [1, null, 'EUR', []], undefined],
  ['no list', { EUR: '0.87' }, undefined],
  ['empty', [], undefined],
  ['text', 'EUR 0.87', undefined],
  ['nothing', null, undefined],
])('reads %s', (_name, answer, read) => {
  expect(readRates(answer)).toEqual(read)
})

const stored: StoredRates = { list: both, source: 'rates.example', fetchedAt: 1_000_000_000 }
test.each<[name: string, stored: StoredRates | undefined, source: string, now: number, due: boolean]>([
  ['none yet', undefined, 'rates.example', 0, true],
  ['just fetched', stored, 'rates.example', stored.fetchedAt, false],
  ['exactly a day', stored, 'rates.example', stored.fetchedAt + ratesKeptMs, false],
  ['over a day', stored, 'rates.example', stored.fetchedAt + ratesKeptMs + 1, true],
  ['from elsewhere', stored, 'embedded', stored.fetchedAt, true],
  ['a clock slightly behind', stored, 'rates.example', stored.fetchedAt - 60_000, false],
  ['clock far back', stored, 'rates.example', stored.fetchedAt - ratesKeptMs - 1, true],
])('due: %s', (_name, rates, source, now, due) => {
  expect(isDue(rates, source, now)).toBe(due)
})

test('the embedded table has the eleven currencies in order', () => {
  expect(embeddedRates.list.map((row) => row.currency_code)).toEqual([...fiats])
  expect(readRates(embeddedRates.list)).toEqual(embeddedRates.list)
})
