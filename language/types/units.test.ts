import { describe, expect, test } from 'vitest'
import { parseLogic } from '#language/text/logic-text.ts'
import type { FunctionManifest, JsonSchema, UnitKind } from '#language/types/catalog.ts'
import { typeOfLogic, typeOfValue } from '#language/types/paths.ts'
import { record, type Types } from '#language/types/types.ts'
import { coinOf, countedOf } from '#language/types/units.ts'

const decimal = (unit: UnitKind, coin?: string, per?: string): JsonSchema => ({
  type: 'string',
  decimal: true,
  unit,
  ...(coin !== undefined && { coin }),
  ...(per !== undefined && { per }),
})
const code: JsonSchema = { type: 'string', coin: true }
const plain: JsonSchema = { type: 'string', decimal: true }

const quote = record({
  from_code: code,
  to_code: code,
  pay: decimal('amount', 'from_code'),
  get: decimal('amount', 'to_code'),
  rate: decimal('rate', 'to_code', 'from_code'),
  spread: decimal('share'),
  usd: decimal('amount', 'USD'),
  limit: { anyOf: [decimal('amount', 'BTC'), { type: 'null' }] },
  price: decimal('price', 'to_code', 'from_code'),
  expires: { type: 'integer', unit: 'ms' },
  seconds: { type: 'integer', unit: 's' },
  lots: decimal('lots'),
  other: plain,
  parts: { type: 'array', items: record({ id: { type: 'string' }, free: decimal('amount', 'from_code') }) },
})
const withdrawFee: FunctionManifest = {
  name: 'wallet.fee',
  about: '',
  params: [
    { name: 'amount', type: decimal('amount', 'coin') },
    { name: 'fee', type: decimal('amount', 'coin') },
    { name: 'share', type: decimal('share') },
  ],
  result: decimal('amount', 'coin'),
  examples: [],
}
const types: Types = {
  functions: [withdrawFee],
  data: record({ quote, quotes: { type: 'array', items: quote, maxItems: 50 } }),
  form: record({ amount: { ...plain, unit: 'money', coin: 'data.quote.from_code' } }),
}

function read(text: string) {
  const parsed = parseLogic(text)
  if (!parsed.ok) throw new Error(parsed.problem.message)
  const { type, problems } = typeOfLogic(parsed.logic, types)
  return { type, problems: problems.map(({ about, message }) => (about === 'units' ? message : `path: ${message}`)) }
}
const from = 'data.quote.from_code'
const to = 'data.quote.to_code'

describe('the unit of an expression', () => {
  test.for([
    ['data.quote.pay', { unit: 'amount', coin: from }],
    ['data.quotes.0.pay', { unit: 'amount', coin: 'data.quotes.0.from_code' }],
    ['data.quotes[form.amount].get', { unit: 'amount', coin: 'data.quotes[form.amount].to_code' }],
    ['data.quote.parts.0.free', { unit: 'amount', coin: from }],
    ['data.quote.limit', { unit: 'amount', coin: 'BTC' }],
    ['data.quote.pay + 1', { unit: 'amount', coin: from }],
    ['data.quote.pay - data.quote.other', { unit: 'amount', coin: from }],
    ['data.quote.pay * data.quote.spread', { unit: 'amount', coin: from }],
    ['data.quote.pay * (1 - data.quote.spread)', { unit: 'amount', coin: from }],
    ['data.quote.pay * data.quote.rate', { unit: 'amount', coin: to }],
    ['data.quote.rate * data.quote.pay', { unit: 'amount', coin: to }],
    ['data.quote.get / data.quote.rate', { unit: 'amount', coin: from }],
    ['1 / data.quote.rate', { unit: 'rate', coin: from, per: to }],
    ['data.quote.get * (1 / data.quote.rate)', { unit: 'amount', coin: from }],
    ['data.quote.get / data.quote.price', { unit: 'amount', coin: from }],
    ['data.quote.pay / data.quote.usd', undefined],
    ['data.quote.pay * data.quote.pay', undefined],
    ['data.quote.other * data.quote.pay', undefined],
    ['data.quote.spread * 100', { unit: 'percent' }],
    ['data.quote.spread * 100 / 100', { unit: 'share' }],
    ['data.quote.spread * 50', undefined],
    ['data.quote.expires / 1000', { unit: 's' }],
    ['data.quote.seconds * 1000', { unit: 'ms' }],
    ['data.quote.expires / 60000', undefined],
    ['now() - data.quote.expires', { unit: 'ms' }],
    ['round(data.quote.pay, 2)', { unit: 'amount', coin: from }],
    ['floorTo(data.quote.pay, data.quote.other)', { unit: 'amount', coin: from }],
    ['max(data.quote.pay, 0)', { unit: 'amount', coin: from }],
    ['max(map(data.quotes, .usd))', { unit: 'amount', coin: 'USD' }],
    ['max(map(data.quotes, .pay))', { unit: 'amount' }],
    ['reduce(data.quotes, .accumulator + .current.usd, 0)', { unit: 'amount', coin: 'USD' }],
    ["find(data.quotes, .other = 1, 'spread')", { unit: 'share' }],
    ['data.quote.pay ?? 0', { unit: 'amount', coin: from }],
    ['if(data.quote.other > 1, data.quote.pay, 0)', { unit: 'amount', coin: from }],
    ['if(data.quote.other > 1, data.quote.pay, data.quote.get)', { unit: 'amount' }],
    ['if(data.quote.other > 1, data.quote.pay, data.quote.spread)', undefined],
    ['wallet.fee(data.quote.pay, 1, data.quote.spread)', { unit: 'amount', coin: from }],
    ['wallet.fee(data.quote.other, 1, data.quote.spread)', { unit: 'amount' }],
    ["format('amount', data.quote.pay)", { unit: 'amount', coin: from }],
    ["format('percent', data.quote.spread)", undefined],
    ['data.quote.other', undefined],
  ] as const)('%s', ([text, counted]) => {
    const { type, problems } = read(text)
    expect(problems).toEqual([])
    const found = countedOf(type)
    expect(found && JSON.parse(JSON.stringify(found))).toEqual(counted)
  })
})

const share = 'a share \\(0 to 1\\)'
describe('what cannot be', () => {
  test.for([
    ['data.quote.pay + data.quote.spread', `an amount and ${share} cannot be added`],
    ['data.quote.pay - data.quote.expires', 'an amount and milliseconds cannot be subtracted'],
    ['data.quote.pay + data.quote.get', `amounts of two coins, "${from}" and "${to}", cannot be added`],
    ['data.quote.pay < data.quote.usd', `amounts of two coins, "${from}" and USD, cannot be compared`],
    ['data.quote.usd = data.quote.limit', 'amounts of two coins, USD and BTC, cannot be compared'],
    ['data.quote.seconds < now()', 'seconds and milliseconds cannot be compared'],
    ['min(1, data.quote.pay, data.quote.spread)', `an amount and ${share} cannot be compared`],
    ['data.quote.lots > data.quote.pay', 'lots and an amount cannot be compared'],
    ['form.amount > data.quote.spread', `an amount and ${share} cannot be compared`],
    ['form.amount > data.quote.get', `amounts of two coins, "${from}" and "${to}", cannot be compared`],
    ['before(data.quote.seconds, now())', 'seconds where milliseconds is expected'],
    ['data.quote.get * data.quote.rate', 'divided by it, not multiplied'],
    ['data.quote.pay / data.quote.rate', 'multiplied by it, not divided'],
    ['filter(data.quotes, .pay > .spread)', `an amount and ${share} cannot be compared`],
    ["format('amount', data.quote.spread)", "format\\('amount', …\\) writes an amount, not a share"],
    ["format('percent', data.quote.rate)", 'writes a share \\(0 to 1\\), not a rate'],
    ["format('fiat', data.quote.pay)", 'an amount in USD, not one of the coin'],
    ["format('date', data.quote.seconds)", 'writes milliseconds, not seconds'],
    ["cat(format('amount', data.quote.pay), ' ', data.quote.to_code)", `the coin "${to}" stands beside an amount of "${from}"`],
    ["cat(format('amount', data.quote.usd), ' BTC')", 'the coin BTC stands beside an amount of USD'],
    ["cat(data.quote.spread, ' ', data.quote.to_code)", `${share} stands before the coin "${to}"`],
    ['wallet.fee(data.quote.pay, data.quote.spread, data.quote.usd)', `"fee" takes an amount, not ${share}`],
    ['wallet.fee(data.quote.pay, data.quote.get, data.quote.spread)', `"amount" is of the coin "${from}" and "fee" of "${to}"`],
  ] as const)('%s', ([text, said]) => {
    expect(read(text).problems[0]).toMatch(new RegExp(said))
  })
})

test.for([
  'data.quote.pay + data.quote.other',
  'data.quote.price > data.quote.rate',
  'form.amount < data.quote.pay',
  'data.quote.pay > data.quotes.0.get',
  'if(data.quote.other > 1, data.quote.pay, data.quote.spread) > data.quote.usd',
  "format('amount', data.quote.other)",
  "format('fiat', data.quote.usd)",
  "cat('1 ', data.quote.from_code, ' = ', format('rate', data.quote.rate), ' ', data.quote.to_code)",
  "cat(format('amount', data.quote.usd), ' / ', format('amount', data.quote.limit), ' BTC')",
  "cat(format('percent', data.quote.spread), ' ', data.quote.to_code)",
  "cat(format('amount', data.quote.pay), ' ', if(data.quote.other > 1, data.quote.to_code, data.quote.from_code))",
])('no finding for %s', (text) => {
  expect(read(text).problems).toEqual([])
})

test.for([
  [{ amount: { $: 'data.quote.pay' }, coin: { $: 'data.quote.to_code' } }, to, '/coin'],
  [{ $t: 'a.b', amount: { $: 'data.quote.get' }, coin: { $: 'data.quote.from_code' } }, from, '/coin'],
  [{ $t: 'a.b', amount: { $: 'data.quote.get' }, coin: { $: 'data.quote.to_code' } }, undefined, ''],
  [{ a: { $: 'data.quote.pay' }, b: { $: 'data.quote.get' }, c: { $: from }, d: { $: to } }, undefined, ''],
  [{ usd: { $: 'data.quote.usd' }, coin: { $: to } }, undefined, ''],
] as const)('%j: the currency beside an amount is that of the amount', ([value, coin, pointer]) => {
  const problems = typeOfValue(value, types).problems.filter(({ about }) => about === 'units')
  expect(problems.map((one) => one.pointer)).toEqual(coin === undefined ? [] : [pointer])
  if (coin !== undefined) expect(problems[0]?.message).toContain(`the coin "${coin}" stands beside`)
})

test('a text that may name two currencies names none for certain', () => {
  expect(coinOf(read('if(data.quote.other > 1, data.quote.to_code, data.quote.from_code)').type)).toBe('?')
  expect(coinOf(read('data.quote.to_code').type)).toBe(to)
  expect(coinOf(read('data.quote.pay').type)).toBeUndefined()
})
