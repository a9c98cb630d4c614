import { expect, test } from 'vitest'
import { hintsFor, nameOfType, pathsFrom, wordBefore } from '#console/editor/values/paths.rules.ts'
import { createWords } from '#console/io/words.ts'

const types = {
  data: {
    type: 'object',
    properties: {
      info: {
        type: 'object',
        properties: { available: { type: 'string', decimal: true }, net: { type: 'object', properties: { fee: { type: 'number' } } } },
      },
      rows: { type: 'array', items: { type: 'object', properties: { id: { type: 'integer' } } } },
    },
  },
  state: { type: 'object', properties: { tab: { type: 'string' } } },
}

test.for([
  ['', ['data', 'data.info', 'data.rows', 'state', 'state.tab']],
  ['da', ['data', 'data.info', 'data.rows', 'state', 'state.tab']],
  ['data.', ['data.info', 'data.info.available', 'data.info.net', 'data.rows']],
  ['data.info.av', ['data.info.available', 'data.info.net', 'data.info.net.fee']],
  ['data.gone.', []],
  ['window.', []],
  ['data.rows.0.', ['data.rows.0.id']],
] as const)('"%s" goes on as %j', async ([typed, paths]) => {
  const { say } = await createWords('en')
  expect(pathsFrom(types, typed, say).map(({ path }) => path)).toEqual(paths)
})

test.for([
  [{ type: 'string', decimal: true }, 'a decimal number', '小数'],
  [{ type: 'string', decimal: true, unit: 'amount', coin: 'USD' }, 'an amount in USD', '以 USD 计的金额'],
  [{ type: 'string', decimal: true, unit: 'amount', coin: 'data.quote.from_code' }, 'an amount in from_code', '以 from_code 计的金额'],
  [{ anyOf: [{ type: 'string', decimal: true, unit: 'amount', coin: 'BTC' }, { type: 'null' }] }, 'an amount in BTC', '以 BTC 计的金额'],
  [{ type: 'string', decimal: true, unit: 'amount' }, 'an amount', '金额'],
  [{ type: 'string', decimal: true, unit: 'share' }, 'a share (0 to 1)', '比例（0 到 1）'],
  [{ type: 'string', decimal: true, unit: 'price', coin: 'quote', per: 'base' }, 'a price', '价格'],
  [{ type: 'string', decimal: true, unit: 'rate', coin: 'to_code', per: 'from_code' }, 'a rate', '汇率'],
  [{ type: 'string', decimal: true, unit: 'lots' }, 'a number of lots', '手数'],
  [{ type: 'integer', unit: 'ms' }, 'milliseconds', '毫秒'],
  [{ type: 'integer', unit: 's' }, 'seconds', '秒'],
  [{ type: 'string', coin: true }, 'the code of a coin', '币种代码'],
  [{ type: 'string', enum: ['a', 'b'] }, 'a | b', 'a | b'],
  [{ type: ['integer', 'null'] }, 'a number', '数字'],
  [{ anyOf: [{ type: 'string' }, { type: 'boolean' }] }, 'a text | yes or no', '文字 | 是或否'],
  [{}, '', ''],
] as const)('%j is called %s', async ([type, english, chinese]) => {
  const [en, zh] = await Promise.all([createWords('en'), createWords('zh')])
  expect([en, zh].map(({ say }) => nameOfType(type as unknown as Parameters<typeof nameOfType>[0], say))).toEqual([english, chinese])
})

test.each([
  ['', ''],
  ['data.inf', 'data.inf'],
  ["cat(data.name, ' ', params.", 'params.'],
  ['not ', ''],
  ['data.list[params.at].na', 'data.list[params.at].na'],
  ['1 + fo', 'fo'],
  ["format('", ''],
])('%j ends with the word %j', (text, word) => {
  expect(wordBefore(text)).toBe(word)
})

const paths = ['data', 'data.info', 'form.amount', 'format.x', 'wallet.withdrawFee('].map((path) => ({ path, type: '' }))
test.each([
  ['data', ['data.info']],
  ['form', ['form.amount', 'format.x', 'format(']],
  ['wallet.', ['wallet.withdrawFee(']],
  ['floor', ['floorTo(']],
  ['var', []],
  ['zz', []],
])('%j goes on as %j', (word, wanted) => {
  expect(hintsFor(word, paths).map(({ path }) => path)).toEqual(wanted)
})
