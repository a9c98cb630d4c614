import { describe, expect, test } from 'vitest'
import type { AppDoc, ScreenDoc } from '#language/documents/documents.ts'
import { distance, nearest } from '#language/documents/nearest.ts'
import { catalog } from '#language/testdata/catalog.ts'
import { documents } from '#language/testdata/project.ts'
import type { JsonSchema } from '#language/types/catalog.ts'
import { typeOfLogic, typeOfPath, typeOfValue } from '#language/types/paths.ts'
import { typesOf } from '#language/types/types.ts'

const docs = documents()
const screen = docs['schemas/screens/orders/list.json'] as unknown as ScreenDoc
const app = docs['schemas/app.json'] as unknown as AppDoc
const rowType = catalog.calls[0]?.output.properties?.list?.items as JsonSchema
const types = {
  ...typesOf(
    { ...screen, params: { id: { type: 'integer' }, side: { type: 'enum', values: ['buy'] }, limit: { type: 'decimal' } } },
    catalog,
    app,
  ),
  item: rowType,
}
const v = (path: string) => ({ var: path })

describe('types of paths', () => {
  const table: [string, Partial<JsonSchema>][] = [
    ['data.orders.total', { type: 'integer' }],
    ['data.orders.more', { type: 'boolean' }],
    ['data.orders.loadingMore', { type: 'boolean' }],
    ['data.orders.list.0.price', { type: 'string', decimal: true }],
    ['data.orders.list[params.id].side', { enum: ['buy', 'sell'] }],
    ['item.symbol', { type: 'string' }],
    ['params.id', { type: 'integer' }],
    ['params.side', { enum: ['buy'] }],
    ['params.limit', { decimal: true }],
    ['state.status', { type: 'string', loose: true }],
    ['app.pageSize', { type: 'number' }],
    ['app.languages.0.tag', { type: 'string' }],
    ['device.theme', { enum: ['dark', 'light'] }],
    ['session.logged_in', { type: 'boolean' }],
    ['feed.BTCUSDT.last', { decimal: true }],
    ['feed[item.symbol].change', { decimal: true }],
    ['form.anything.at.all', {}],
  ]
  test.each(table)('%s', (path, type) => {
    const typed = typeOfPath(path, types)
    expect(typed.problems).toEqual([])
    expect(typed.type).toMatchObject(type)
  })
})

describe('unknown paths', () => {
  const table: [string, RegExp, string | undefined][] = [
    ['data.orders.totl', /no "totl" in "data.orders"/, 'data.orders.total'],
    ['data.oders.total', /no "oders" in "data"/, 'data.orders.total'],
    ['data.orders.list[params.ide].side', /no "ide" in "params"/, 'params.id'],
    ['data.orders.list[params.id].sied', /no "sied"/, 'data.orders.list[params.id].side'],
    ['data.orders.list.side', /is a list/, undefined],
    ['data.orders.total.more', /"data.orders.total" has no members/, undefined],
    ['state.stauts', /no "stauts"/, 'state.status'],
    ['device.them', /no "them"/, 'device.theme'],
    ['session.loged_in', /no "loged_in"/, 'session.logged_in'],
    ['feed.BTCUSDT.lst', /no "lst"/, 'feed.BTCUSDT.last'],
    ['stat.status', /paths start with/, 'state.status'],
    ['result.receipt.id', /only available inside an action/, undefined],
  ]
  test.each(table)('%s', (path, message, suggestion) => {
    const { problems } = typeOfPath(path, types)
    expect(problems).toHaveLength(1)
    expect(problems[0]?.message).toMatch(message)
    expect(problems[0]?.suggestion).toBe(suggestion)
  })
})

describe('types of expressions', () => {
  const orders = v('data.orders.list')
  const table: [string, unknown, Partial<JsonSchema>][] = [
    ['comparison', { '<': [1, 2] }, { type: 'boolean' }],
    ['arithmetic', { '+': [1, v('item.price')] }, { computed: true }],
    ['text', { cat: ['a', 1] }, { type: 'string' }],
    ['where keeps the type of rows', { where: [orders, 'side', 'buy'] }, { type: 'array', items: rowType }],
    [
      'search in whereIn keeps the type of rows',
      { search: [{ whereIn: [orders, 'id', [1]] }, 'x', 'symbol'] },
      { type: 'array', items: rowType },
    ],
    ['filter and first', { first: [{ filter: [orders, { '>': [v('price'), 1] }] }, 3] }, { type: 'array', items: rowType }],
    ['map', { map: [orders, v('symbol')] }, { type: 'array', items: { type: 'string' } }],
    [
      'if of two types',
      { if: [true, 'a', 1] },
      { anyOf: [expect.objectContaining({ const: 'a' }), expect.objectContaining({ type: 'integer' })] },
    ],
    [
      'rename',
      { rename: [orders, 'label', 'symbol'] },
      { type: 'array', items: expect.objectContaining({ properties: { label: { type: 'string' } } }) },
    ],
    ['has', { has: 'item.symbol' }, { type: 'boolean' }],
    ['default', { var: ['state.status', 'x'] }, {}],
  ]
  test.each(table)('%s', (_, logic, type) => {
    const typed = typeOfLogic(logic, types)
    expect(typed.problems).toEqual([])
    expect(typed.type).toMatchObject(type)
  })
  test('problems point into the expression', () => {
    expect(typeOfLogic({ and: [true, { some: [v('data.orders.list'), { '===': [v('sied'), 'buy'] }] }] }, types, '/show').problems).toEqual(
      [{ pointer: '/show/and/1/some/1/===/0/var', path: 'sied', message: 'there is no "sied" in "the element"', suggestion: 'side' }],
    )
    expect(typeOfValue({ a: [{ $t: 'x.y', n: { $: 'data.orders.totl' } }] }, types, '/props').problems[0]?.pointer).toBe('/props/a/0/n/$')
    expect(
      typeOfLogic({ reduce: [v('data.orders.list'), { '+': [v('accumulator'), v('current.prce')] }, 0] }, types).problems[0]?.suggestion,
    ).toBe('current.price')
  })
})

describe('the nearest name', () => {
  const table: [string, string[], string | undefined][] = [
    ['buton', ['button', 'row'], 'button'],
    ['btuton', ['button', 'row'], 'button'],
    ['Button', ['button'], 'button'],
    ['xyz', ['button', 'row'], undefined],
    ['balnce', ['balance', 'balances'], 'balance'],
    ['id', ['nid', 'title'], 'nid'],
    ['same', ['same'], undefined],
    ['orders', ['market.orders', 'other'], 'market.orders'],
  ]
  test.each(table)('%s', (word, names, expected) => {
    expect(nearest(word, names)).toBe(expected)
  })
  test('a swap is one step', () => {
    expect([distance('ab', 'ba'), distance('', 'abc'), distance('kitten', 'sitting')]).toEqual([1, 3, 3])
  })
})
