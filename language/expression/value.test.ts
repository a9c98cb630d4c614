import { describe, expect, test, vi } from 'vitest'
import { ExpressionProblem, scopeOf } from '#language/expression/expression.ts'
import { compileValue } from '#language/expression/value.ts'

const scope = scopeOf({ data: { info: { symbol: 'BTC', balance: '10.5' }, rows: [1] }, state: { n: 2 } })
const say = (key: string, args: Readonly<Record<string, unknown>>) =>
  `${key}(${Object.entries(args)
    .map(([name, value]) => `${name}=${value}`)
    .join()})`

const ignore = () => undefined

describe('four forms', () => {
  const table: [string, unknown, unknown, readonly string[]][] = [
    ['literal', 'plain', 'plain', []],
    ['list', [1, { a: null }], [1, { a: null }], []],
    ['path', { $: 'data.info.symbol' }, 'BTC', []],
    ['logic', { $: { '*': [{ var: 'data.info.balance' }, 2] } }, '21', []],
    ['text', { $t: 'market.title' }, 'market.title()', []],
    ['text with arguments', { $t: 'market.title', symbol: { $: 'data.info.symbol' }, n: 1 }, 'market.title(symbol=BTC,n=1)', []],
    ['text in a text', { $t: 'a.b', of: { $t: 'c.d' } }, 'a.b(of=c.d())', []],
    ['nested', { rows: [{ label: { $t: 'a.b' }, value: { $: 'state.n' } }] }, { rows: [{ label: 'a.b()', value: 2 }] }, []],
    ['missing part', { a: { $: 'data.gone' }, b: 1 }, { a: undefined, b: 1 }, ['data.gone']],
    ["a missing argument is passed as ''", { $t: 'a.b', x: { $: 'data.gone' } }, 'a.b(x=)', ['data.gone']],
  ]
  test.each(table)('%s', (_, written, value, missing) => {
    expect(compileValue(written).evaluate(scope, say)).toEqual({ value, missing })
    expect(compileValue(written).read(scope, say, ignore)).toEqual(value)
  })
})

test('reading and evaluating keep unchanged references, and reading never throws', () => {
  const compiled = compileValue({ list: [{ $: 'data.rows' }] })
  expect(compiled.read(scope, say, ignore)).toBe(compiled.evaluate(scope, say).value)
  const torn = {
    get: () => {
      throw new Error('torn')
    },
  }
  expect(compiled.read(torn, say, ignore)).toEqual({ list: [undefined] })
  expect(compileValue({ $t: 'a.b' }).read(torn, torn.get, ignore)).toBe('a.b')
})

test('a static value is the object of the document', () => {
  const written = { deep: [{ er: 1 }] }
  const compiled = compileValue(written)
  expect(compiled.static).toBe(true)
  expect(compiled.evaluate(scope, say).value).toBe(written)
})

test('unchanged parts keep their reference', () => {
  const compiled = compileValue({ fixed: { a: 1 }, moving: { $: 'state.n' }, list: [{ $: 'data.rows' }] })
  const one = compiled.evaluate(scope, say).value as Record<string, unknown>
  expect(compiled.evaluate(scope, say).value).toBe(one)
  const two = compiled.evaluate(scopeOf({ data: scope.get('data'), state: { n: 3 } }), say).value as Record<string, unknown>
  expect(two).not.toBe(one)
  expect(two.fixed).toBe(one.fixed)
  expect(two.list).toBe(one.list)
  expect(one.moving).toBe(2)
})

test('dependencies, text keys and operators are known before the evaluation', () => {
  const compiled = compileValue({ title: { $t: 'market.title', of: { $t: 'common.all' } }, rows: [{ $: 'data.rows' }, { $: { now: [] } }] })
  expect(compiled).toMatchObject({
    static: false,
    deps: ['data.rows', 'clock'],
    texts: ['market.title', 'common.all'],
  })
  expect(compiled.expressions.flatMap((one) => one.operators)).toEqual(['now'])
})

describe('refused', () => {
  const table: [string, unknown, string][] = [
    ['$ with company', { $: 'data.a', b: 1 }, ''],
    ['a computed text key', { a: { $t: { $: 'state.k' } } }, '/a/$t'],
    ['an invalid path inside', { rows: [{ 'a/b': { $: 'user.token' } }] }, '/rows/0/a~1b/$'],
    ['invalid logic inside an argument', { $t: 'a.b', n: { $: { '+': [{ '==': [1, 1] }] } } }, '/n/$/+/0/=='],
    ['a member that is the prototype', JSON.parse('{"__proto__": {"$": "data.a"}}'), ''],
    ['too deep', JSON.parse('['.repeat(40) + ']'.repeat(40)), '/0'.repeat(33)],
  ]
  test.each(table)('%s', (_, written, pointer) => {
    try {
      compileValue(written)
      expect.unreachable()
    } catch (problem) {
      expect(problem).toBeInstanceOf(ExpressionProblem)
      expect((problem as ExpressionProblem).pointer).toBe(pointer)
    }
  })
})

test('a failing text function leaves the key', () => {
  const broken = vi.fn(() => {
    throw new Error('no texts')
  })
  expect(compileValue({ $t: 'a.b' }).evaluate(scope, broken).value).toBe('a.b')
})

const iterations: [string, unknown][] = [
  ['filter', { filter: [{ var: 'data.rows' }, { '>': [{ var: 'n' }, 0] }] }],
  ['map', { map: [{ var: 'data.rows' }, { var: 'n' }] }],
  ['find', { find: [{ var: 'data.rows' }, { '===': [{ var: 'n' }, 7] }, 'n'] }],
  ['reduce', { reduce: [{ var: 'data.rows' }, { '+': [{ var: 'accumulator' }, { var: 'current.n' }] }, 0] }],
  ['all', { all: [{ var: 'data.rows' }, { '>': [{ var: 'n' }, 0] }] }],
  ['some', { some: [{ var: 'data.rows' }, { '===': [{ var: 'n' }, 1000] }] }],
  ['none', { none: [{ var: 'data.rows' }, { '===': [{ var: 'n' }, -1] }] }],
  ['map of filter', { map: [{ filter: [{ var: 'data.rows' }, { '>': [{ var: 'n' }, 0] }] }, { var: 'n' }] }],
  ['reduce of map', { reduce: [{ map: [{ var: 'data.rows' }, { var: 'n' }] }, { '+': [{ var: 'accumulator' }, { var: 'current' }] }, 0] }],
  ['len of filter', { len: { filter: [{ var: 'data.rows' }, { '>': [{ var: 'n' }, 0] }] } }],
]
describe('an iteration works on 1,000 rows, and says that it stops at 1,001', () => {
  const rows = (count: number) => scopeOf({ data: { rows: Array.from({ length: count }, (_, i) => ({ n: i + 1 })) } })
  const ns = Array.from({ length: 1_000 }, (_, i) => i + 1)
  const sum = 500_500
  const right: Record<string, unknown> = {
    filter: ns.map((n) => ({ n })),
    map: ns,
    find: 7,
    reduce: sum,
    all: true,
    some: true,
    none: true,
    'map of filter': ns,
    'reduce of map': sum,
    'len of filter': 1_000,
  }
  const forms: [string, (value: unknown) => unknown, (value: unknown) => unknown][] = [
    ['alone', (value) => value, (value) => value],
    ['in a text', (value) => ({ $t: 'a.b', x: value }), (value) => ({ x: value })],
    ['deep in a list', (value) => [1, { deep: value }], (value) => [1, { deep: value }]],
  ]
  const given = ((_: string, args: unknown) => args) as never
  test.each(iterations.flatMap((one) => forms.map((form) => [...one, ...form] as const)))('%s %j %s', (name, logic, _, written, seen) => {
    const compiled = compileValue(written({ $: logic }))
    const reported: string[] = []
    const read = (count: number) => compiled.read(rows(count), given, (reason) => reported.push(reason))
    expect([read(1_000), reported]).toEqual([seen(right[name]), []])
    read(1_001)
    expect([reported, compiled.evaluate(rows(1_001), given).stopped]).toEqual([['items'], 'items'])
  })
})

test('a computed list has words in the language of the reader, and names their keys', () => {
  const list = compileValue({
    $: {
      map: [
        { var: 'data.rows' },
        { object: ['id', { var: '' }, 'label', { t: ['spot.side', 'context', { var: '' }, 'coin', { outer: 'data.coin' }] }] },
      ],
    },
  })
  const words = (key: string, args: Record<string, unknown>) => `${key}_${args.context} ${args.coin}`
  const inside = scopeOf({ data: { rows: ['buy', 'sell'], coin: 'BTC' }, format: { t: words } })
  expect(list.evaluate(inside, say).value).toEqual([
    { id: 'buy', label: 'spot.side_buy BTC' },
    { id: 'sell', label: 'spot.side_sell BTC' },
  ])
  expect([list.texts, list.deps.includes('format')]).toEqual([['spot.side'], true])
})

test('the key of a computed word is literal', () => {
  expect(() => compileValue({ $: { t: [{ var: 'data.key' }] } })).toThrow('requires a literal')
})
