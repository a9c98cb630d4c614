import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import calls from '#contract/manifest.json'
import { type SampleSchema, sampleAnswer, sampleOf } from '#contract/samples.ts'

const ajv = new Ajv2020({ strict: false })
const rows = (calls as unknown as { name: string; output: SampleSchema }[]).map((call) => [call.name, call] as const)

describe('samples', () => {
  test.each(rows)('%s: samples fit the output schema, filled, empty and long', (_, call) => {
    const fits = ajv.compile(call.output)
    for (const options of [{}, { empty: true }, { rows: 25 }, { rows: 1, atMs: 1 }]) {
      const answer = sampleAnswer(call, {}, options)
      expect(fits(answer), JSON.stringify([fits.errors, answer])).toBe(true)
    }
  })
  test('the same arguments give the same sample', () => {
    for (const [, call] of rows) expect(sampleAnswer(call)).toEqual(sampleAnswer(call))
  })
  test.each([
    [
      'rows are distinguishable',
      { type: 'array', items: { type: 'object', properties: { id: { type: 'integer' } } } },
      [{ id: 1 }, { id: 2 }, { id: 3 }],
    ],
    ['a word of an enumeration', { enum: ['a', 'b'] }, 'a'],
    ['an example of the contract', { type: 'string', examples: ['0.001'], decimal: true }, '0.001'],
    ['one value', { const: 7 }, 7],
    ['bounds hold', { type: 'integer', minimum: 50, maximum: 60 }, 50],
    ['a length holds', { type: 'string', maxLength: 3 }, 'Sam'],
    ['optional members are present', { anyOf: [{ type: 'string' }, { type: 'null' }] }, 'Sample 1'],
    ['nothing is known', {}, null],
  ] as [string, SampleSchema, unknown][])('%s', (_, schema, wanted) => {
    expect(sampleOf(schema)).toEqual(wanted)
  })
  test('empty samples: no rows, totals of 0, null where it is allowed', () => {
    const schema: SampleSchema = {
      type: 'object',
      properties: {
        list: { type: 'array', items: { type: 'string' } },
        total: { type: 'integer', minimum: 0 },
        article: { anyOf: [{ type: 'object' }, { type: 'null' }] },
      },
    }
    expect(sampleOf(schema, '', { empty: true })).toEqual({ list: [], total: 0, article: null })
  })
  test('a sample repeats the arguments that it fits, and no others', () => {
    const call = {
      name: 'x.y',
      output: { type: 'object', properties: { symbol: { type: 'string', pattern: '^[A-Z0-9]{2,20}$' }, id: { type: 'integer' } } },
    }
    expect(sampleAnswer(call, { symbol: 'AAPL', id: '12', other: 'x' })).toEqual({ symbol: 'AAPL', id: 12 })
    expect(sampleAnswer(call, { symbol: 'a b', id: 'x' })).toEqual({ symbol: 'BTCUSDT', id: 1 })
  })
  test('times of a chart increase', () => {
    const kline = calls.find(({ name }) => name === 'market.kline') as unknown as { name: string; output: SampleSchema }
    const { list } = sampleAnswer(kline, {}, { rows: 5 }) as { list: { time: number; high: string; low: string }[] }
    const times = list.map(({ time }) => time)
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b))
    for (const { high, low } of list) expect(Number(low)).toBeLessThan(Number(high))
  })
})
