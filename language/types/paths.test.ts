import { describe, expect, test } from 'vitest'
import type { AppDoc, ScreenDoc } from '#language/documents/documents.ts'
import { distance, nearest } from '#language/documents/nearest.ts'
import { catalog } from '#language/testdata/catalog.ts'
import { documents } from '#language/testdata/project.ts'
import type { JsonSchema } from '#language/types/catalog.ts'
import { type Typed, typeOfLogic, typeOfPath, typeOfValue } from '#language/types/paths.ts'
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
/** Without those of numbers of rows: the sample contract names none. */
const ofPaths = ({ problems }: Typed) => problems.filter(({ about }) => about === undefined)

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
    expect(ofPaths(typed)).toEqual([])
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
    expect(ofPaths(typed)).toEqual([])
    expect(typed.type).toMatchObject(type)
  })
  test('problems point into the expression', () => {
    expect(
      typeOfLogic({ and: [true, { some: [v('data.orders.list'), { '===': [v('sied'), 'buy'] }] }] }, types, '/show').problems.filter(
        ({ about }) => about === undefined,
      ),
    ).toEqual([
      { pointer: '/show/and/1/some/1/===/0/var', path: 'sied', message: 'there is no "sied" in "the element"', suggestion: 'side' },
    ])
    expect(typeOfValue({ a: [{ $t: 'x.y', n: { $: 'data.orders.totl' } }] }, types, '/props').problems[0]?.pointer).toBe('/props/a/0/n/$')
    expect(
      typeOfLogic({ reduce: [v('data.orders.list'), { '+': [v('accumulator'), v('current.prce')] }, 0] }, types).problems.find(
        ({ about }) => about === undefined,
      )?.suggestion,
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

describe('iterations over lists whose greatest number is known', () => {
  const list = (maxItems?: number) => ({ type: 'array', items: { type: 'object', properties: { n: { type: 'integer' } } }, maxItems })
  const types = { data: { type: 'object', properties: { page: list(100), many: list(5_000), all: list() } } } as never as Parameters<
    typeof typeOfLogic
  >[1]
  const over = (rows: unknown) => typeOfLogic({ filter: [rows, { '>': [{ var: 'n' }, 0] }] }, types)
  const page = { var: 'data.page' }
  const all = { var: 'data.all' }
  const many = { var: 'data.many' }
  const n = (rows: unknown) => ({ map: [rows, { var: 'n' }] })
  test.each<[string, unknown, number | undefined]>([
    ['a page', page, undefined],
    ['a list without a number', all, 1],
    ['a list of too many', many, 1],
    ['the first of a list', { first: [all, 1_000] }, undefined],
    ['too many first of a list', { first: [all, 1_001] }, 1],
    ['one of two pages', { if: [true, page, { where: [page, 'n', 7] }] }, undefined],
    ['a page or everything', { if: [true, page, all] }, 1],
    ['a page or nothing', { if: [true, page, null] }, undefined],
    ['some of everything', { where: [all, 'n', 7] }, 1],
    ['as many rows as a page has', { whereIn: [all, 'n', n(page)] }, undefined],
    ['renamed rows', { rename: [page, 'id', 'n'] }, undefined],
    ['a list written here', [1, 2, 3], undefined],
    ['parts of a text', { split: ['a,b', ','] }, undefined],
  ])('%s', (_, rows, warnings = 0) => {
    expect(over(rows).problems.filter(({ about }) => about === 'bounds')).toHaveLength(warnings)
  })
})
