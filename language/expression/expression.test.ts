import { describe, expect, test, vi } from 'vitest'
import { compile, dependencies, ExpressionProblem, guard, scopeOf } from '#language/expression/expression.ts'

const scope = scopeOf({
  data: {
    info: { balance: '10.50', none: null, text: 'Hello', zero: 0, list: [1, 2, 3] },
    rows: [
      { symbol: 'BTC', name: 'Bitcoin', price: '60000', kind: 1 },
      { symbol: 'ETH', name: 'Ether', price: '3000.5', kind: 2 },
      { symbol: 'XRP', name: 'Ripple', price: '0.5', kind: 1 },
    ],
    nets: [
      { id: 7, min: '0.1' },
      { id: 8, min: '2' },
    ],
    coins: [
      { currency_id: 3, currency_code: 'USDT', change: '7' },
      { currency_id: 1, currency_code: 'BTC', change: '0.5' },
    ],
  },
  form: { network: 8, amount: '3', coin: 1, from: 'change' },
  item: { symbol: 'ETH' },
  feed: { ETH: { last: '3001' } },
  state: { tab: 'hot', picked: ['ETH', 'BTC'], word: ' rip ' },
  clock: 1_000,
  formMeta: { valid: true, dirty: false, fields: { amount: { valid: false, dirty: true } } },
  format: {
    amount: (value: unknown, option: unknown) => `${value} ${option}`,
    percent: () => 'x'.repeat(20_000),
    ago: () => {
      throw new Error('broken')
    },
  },
})
const v = (path: string, ...more: unknown[]) => ({ var: more.length > 0 ? [path, ...more] : path })
const rows = v('data.rows')
const value = (logic: unknown) => compile(logic).evaluate(scope).value

describe('results of every operator', () => {
  const table: [string, unknown, unknown][] = [
    ['a plain text is a path', 'data.info.balance', '10.50'],
    ['row by number', 'data.rows.1.name', 'Ether'],
    ['row by key', 'data.nets[form.network].min', '2'],
    ['row by the id of its currency, member by name', 'data.coins[form.coin][form.from]', '0.5'],
    ['member by name', 'feed[item.symbol].last', '3001'],
    ['var with a default', v('data.info.nothing', 'else'), 'else'],
    ['null is a value, not the default', v('data.info.none', 'else'), null],
    ['literal', true, true],
    ['decimals are not compared as text', { '<': ['9.5', '10'] }, true],
    ['number against text', { '<=': [10.5, v('data.info.balance')] }, true],
    ['greater', { '>': ['0.3', { '+': [0.1, 0.2] }] }, false],
    ['at least', { '>=': ['0.30', { '+': [0.1, 0.2] }] }, true],
    ['between', { '<': [1, '2', 3] }, true],
    ['not between', { '<=': [1, '4', 3] }, false],
    ['long decimals keep every digit', { '<': ['0.12345678901234567890', '0.12345678901234567891'] }, true],
    ['null is not a number', { '>=': [null, 0] }, false],
    ['texts cannot be ordered', { '<': ['a', 'b'] }, false],
    ['same amount', { '===': [1, '1.0'] }, true],
    ['a text is not a number', { '===': ['a', 1] }, false],
    ['leading zeros are not an amount', { '===': ['007', '7'] }, false],
    ['null is only null', { '===': [v('data.info.none'), null] }, true],
    ['different', { '!==': [null, 0] }, true],
    ['0.1 + 0.2', { '+': [0.1, 0.2] }, '0.3'],
    ['numbers with an integer result stay numbers', { '+': [1, 2] }, 3],
    ['text gives text', { '+': ['1', 2] }, '3'],
    ['cast', { '+': ['1.50'] }, '1.5'],
    ['not a decimal', { '+': ['12abc', 1] }, null],
    ['minus', { '-': [v('data.info.balance'), v('form.amount')] }, '7.5'],
    ['negated', { '-': ['0.5'] }, '-0.5'],
    ['no negative zero', { '-': ['0'] }, '0'],
    ['times', { '*': ['1.1', '1.1'] }, '1.21'],
    ['divided', { '/': ['1', '8'] }, '0.125'],
    ['carried to 20 decimals', { '/': [1, 3] }, '0.33333333333333333333'],
    ['by nothing', { '/': [1, 0] }, null],
    ['rest', { '%': ['7.5', 2] }, '1.5'],
    ['rest by nothing', { '%': [1, '0'] }, null],
    ['least', { min: ['10', '9.50', 11] }, '9.5'],
    ['most of a list', { max: v('data.info.list') }, 3],
    ['most of nothing', { max: [[]] }, null],
    ['round', { round: ['2.345', 2] }, '2.35'],
    ['round down', { round: ['2.349', 2, 'down'] }, '2.34'],
    ['round to a whole number', { round: 2.5 }, 3],
    ['round to too many places', { round: ['1', 21] }, null],
    ['not', { '!': '' }, true],
    ['an empty list is false', { '!!': [[]] }, false],
    ['if', { if: [{ '===': [v('state.tab'), 'hot'] }, 'a', 'b'] }, 'a'],
    ['else if', { if: [false, 1, true, 2, 3] }, 2],
    ['if without else', { if: [false, 1] }, null],
    ['and gives the first false one', { and: [1, 0, 2] }, 0],
    ['or gives the first true one', { or: [0, '', 'x'] }, 'x'],
    ['cat', { cat: ['a', 1, true, null, '0.10', 1e21] }, 'a1true0.101000000000000000000000'],
    ['substr', { substr: ['jsonlogic', 4] }, 'logic'],
    ['substr from the end', { substr: ['jsonlogic', -5, 3] }, 'log'],
    ['substr leaving out the end', { substr: ['jsonlogic', 0, -5] }, 'json'],
    ['substr of an emoji', { substr: ['👩🏻‍🚀 Ann', 0, 1] }, '👩🏻‍🚀'],
    ['substr from the end of Thai', { substr: ['ที่นี่', -1] }, 'นี่'],
    ['substr far outside', { substr: ['abc', -1_000_000, 1_000_000_000] }, 'abc'],
    ['in a list by value', { in: ['2.0', v('data.info.list')] }, true],
    ['in a text', { in: ['ell', v('data.info.text')] }, true],
    ['in nothing', { in: ['a', null] }, false],
    ['map', { map: [rows, v('symbol')] }, ['BTC', 'ETH', 'XRP']],
    ['map over plain elements', { map: [v('data.info.list'), { '*': [v(''), 2] }] }, [2, 4, 6]],
    ['map on a value that is no list', { map: [v('data.info.text'), 1] }, []],
    [
      'filter',
      { filter: [rows, { '>': [v('price'), '1000'] }] },
      [expect.objectContaining({ symbol: 'BTC' }), expect.objectContaining({ symbol: 'ETH' })],
    ],
    ['a filter inside a map is applied in sequence', { map: [{ filter: [rows, { '===': [v('kind'), 2] }] }, v('name')] }, ['Ether']],
    ['reduce', { reduce: [rows, { '+': [v('accumulator'), v('current.kind')] }, 0] }, 4],
    ['all', { all: [rows, { '>': [v('price'), 0] }] }, true],
    ['all of none', { all: [[], true] }, false],
    ['none', { none: [rows, { '<': [v('price'), 0] }] }, true],
    ['some', { some: [rows, { '===': [v('symbol'), 'XRP'] }] }, true],
    ['has', { has: 'data.info.zero' }, true],
    ['has not null', { has: 'data.info.none' }, false],
    ['empty text', { empty: '' }, true],
    ['empty list', { empty: [[]] }, true],
    ['zero is not empty', { empty: v('data.info.zero') }, false],
    ['len of a list', { len: rows }, 3],
    ['len of a text', { len: 'four' }, 4],
    ['len of an emoji', { len: '👩🏻‍🚀' }, 1],
    ['len of Thai', { len: 'น้ำใจ' }, 3],
    ['len of a letter with a mark', { len: 'e\u0301' }, 1],
    ['split into characters', { split: ['a👍🏽', ''] }, ['a', '👍🏽']],
    ['len of a number', { len: 4 }, null],
    ['valid form', { valid: [] }, true],
    ['valid field', { valid: 'amount' }, false],
    ['dirty field', { dirty: 'amount' }, true],
    ['dirty form', { dirty: [] }, false],
    ['a missing field', { valid: 'toString' }, false],
    ['email', { match: ['ann@example.org', 'email'] }, true],
    ['not an email', { match: ['ann@', 'email'] }, false],
    ['mobile', { match: ['13800138000', 'mobile-cn'] }, true],
    ['url', { match: ['https://example.org/a?b=1', 'url'] }, true],
    ['script url', { match: ['javascript:alert(1)', 'url'] }, false],
    ['amount', { match: ['0.10', 'amount'] }, true],
    ['amount with other digits', { match: ['١', 'digits'] }, false],
    ['now', { now: [] }, 1_000],
    ['before', { before: [{ now: [] }, '2026-01-01'] }, true],
    ['before with an invalid time', { before: ['soon', 5] }, false],
    ['format', { format: ['amount', '1.5', 'BTC'] }, '1.5 BTC'],
    ['format of null', { format: ['amount', v('data.info.none')] }, undefined],
    ['format without its function', { format: ['price', 1.5] }, '1.5'],
    ['where', { where: [rows, 'kind', '1'] }, [expect.objectContaining({ symbol: 'BTC' }), expect.objectContaining({ symbol: 'XRP' })]],
    ['where on a value that is no list', { where: [null, 'kind', 1] }, []],
    ['whereIn keeps the order of the values', { map: [{ whereIn: [rows, 'symbol', v('state.picked')] }, v('symbol')] }, ['ETH', 'BTC']],
    ['search', { search: [rows, v('state.word'), 'name', 'symbol'] }, [expect.objectContaining({ symbol: 'XRP' })]],
    ['search in full width', { search: [rows, 'ＸＲ', 'name', 'symbol'] }, [expect.objectContaining({ symbol: 'XRP' })]],
    ['search without accents', { search: [[{ object: ['name', 'Éther'] }], 'eth', 'name'] }, [{ name: 'Éther' }]],
    ['search with Thai digits', { search: [[{ object: ['name', 'no 12'] }], '๑๒', 'name'] }, [{ name: 'no 12' }]],
    ['search for nothing', { len: { search: [rows, '  ', 'name'] } }, 3],
    ['toggle off', { toggle: [v('state.picked'), 'ETH'] }, ['BTC']],
    ['toggle on', { toggle: [v('state.picked'), 'XRP'] }, ['ETH', 'BTC', 'XRP']],
    ['toggle in nothing', { toggle: [null, 'XRP'] }, ['XRP']],
    ['prepend', { prepend: [v('state.picked'), 'BTC', 2] }, ['BTC', 'ETH']],
    ['prepend cuts', { prepend: [v('state.picked'), 'XRP', 2] }, ['XRP', 'ETH']],
    [
      'rename plain values',
      { rename: [v('state.picked'), 'id', 'value', 'label', 'value'] },
      [
        { id: 'ETH', label: 'ETH' },
        { id: 'BTC', label: 'BTC' },
      ],
    ],
    ['rename nothing', { rename: [null, 'id', 'nid'] }, []],
    ['first', { first: [v('data.info.list'), 2] }, [1, 2]],
    ['first with an invalid count', { first: [v('data.info.list'), -1] }, []],
  ]
  test.each(table)('%s', (_, logic, expected) => {
    const outcome = compile(logic).evaluate(scope)
    expect(outcome.value).toEqual(expected)
    expect(outcome.stopped).toBeUndefined()
    expect(outcome.missing).toEqual([])
  })
})

describe('lists are sorted, cut and joined', () => {
  const mixed = ['b', '10', null, 9, 'Á', '10.0', true]
  test.each<[string, unknown, unknown]>([
    ['numbers by amount, then texts, then all others', { sort: [mixed] }, [9, '10', '10.0', 'Á', 'b', null, true]],
    ['down, and all others are last again', { sort: [mixed, 'down'] }, ['b', 'Á', '10', '10.0', 9, null, true]],
    ['rows by a member', { map: [{ sort: [rows, 'up', 'price'] }, v('symbol')] }, ['XRP', 'ETH', 'BTC']],
    ['equal rows keep their order', { map: [{ sort: [rows, 'down', 'kind'] }, v('symbol')] }, ['ETH', 'BTC', 'XRP']],
    ['no list', { sort: [7] }, []],
    ['a part', { slice: [[1, 2, 3, 4], 1, 2] }, [2, 3]],
    ['from the end', { slice: [[1, 2, 3, 4], -2] }, [3, 4]],
    ['a part behind the end', { slice: [[1], 5, 2] }, []],
    ['last', { last: [[1, 2, 3], 2] }, [2, 3]],
    ['last of none', { last: [[1, 2, 3], 0] }, []],
    ['more than there are', { last: [[1], 5] }, [1]],
    ['several lists', { concat: [[1], 'none', [2, 3]] }, [1, 2, 3]],
    ['numbers', { range: [1, 3] }, [1, 2, 3]],
    ['exact steps', { range: ['0.1', '0.3', '0.1'] }, ['0.1', '0.2', '0.3']],
    ['down', { range: [3, 1, -1] }, [3, 2, 1]],
    ['a step that leads away', { range: [1, 3, -1] }, []],
    ['no step', { range: [1, 3, 0] }, []],
    ['no numbers', { range: ['a', 3] }, []],
    ['one of each, amounts by value', { distinct: [['1', 1, '1.0', 'a', 'a', null, null]] }, ['1', 'a', null]],
    ['one of each by a member', { map: [{ distinct: [rows, 'kind'] }, v('symbol')] }, ['BTC', 'ETH']],
    ['one text', { join: [['a', null, '', 'b', 1.5], ', '] }, 'a, b, 1.5'],
    ['days', { days: [7] }, 604_800_000],
    ['half a day', { days: ['0.5'] }, '43200000'],
  ])('%s', (_, logic, wanted) => expect(value(logic)).toEqual(wanted))

  test('a range ends with the limit of rows', () => {
    expect(compile({ range: [1, 1_001] }).evaluate(scope)).toMatchObject({ value: undefined, stopped: 'items' })
    expect((value({ range: [1, 1_000] }) as unknown[]).length).toBe(1_000)
  })
})

describe('one of several results', () => {
  const branch = (wanted: unknown) => ({ case: [wanted, 1, v('data.gone'), '2.0', 'two', 'many'] })
  test('only the chosen one is computed', () => {
    expect(compile(branch(2)).evaluate(scope)).toEqual({ value: 'two', missing: [] })
    expect(compile(branch('x')).evaluate(scope)).toEqual({ value: 'many', missing: [] })
    expect(compile(branch(1)).evaluate(scope)).toEqual({ value: undefined, missing: ['data.gone'] })
  })
  test('without one for all others it is null', () => expect(value({ case: [9, 1, 'one', 2, 'two'] })).toBe(null))
})

describe('an amount with its coin', () => {
  test.each<[string, unknown, unknown, readonly string[]]>([
    ['the value before its coin', { money: ['1.5', 'BTC'] }, '1.5 undefined BTC', []],
    ['another kind with an option', { money: ['1.5', v('item.symbol'), 'amount', 'x'] }, '1.5 x ETH', []],
    ['a dash where there is no value', { money: [v('data.gone'), 'BTC'] }, '–', []],
    ['a dash for null', { money: [v('data.info.none'), 'BTC'] }, '–', []],
    ['a dash for a sum that lacks a part', { money: [{ '+': [v('data.gone'), 1] }, 'BTC'] }, '–', []],
    ['a missing coin is missing', { money: ['1.5', v('data.gone')] }, '1.5 undefined ', ['data.gone']],
  ])('%s', (_, logic, wanted, missing) => expect(compile(logic).evaluate(scope)).toEqual({ value: wanted, missing }))
})

describe('missing is not null', () => {
  const table: [string, unknown, readonly string[], boolean][] = [
    ['path', 'data.info.gone', ['data.info.gone'], false],
    ['a true comparison with a missing value stays closed', { '!==': [v('data.info.gone'), 1] }, ['data.info.gone'], false],
    ['null is there', { '===': [v('data.info.none'), null] }, [], true],
    ['through null', v('data.info.none.more'), ['data.info.none.more'], false],
    ['has asks', { '!': { has: 'data.info.gone' } }, [], true],
    ['has guards the operands after it', { and: [{ has: 'data.info.gone' }, { '>': [v('data.info.gone'), 1] }] }, [], false],
    ['a default answers', v('data.info.gone', true), [], true],
    ['the branch not taken is not read', { if: [true, true, v('data.info.gone')] }, [], true],
    ['in an element', { some: [rows, { '!==': [v('nothing'), 1] }] }, ['nothing'], false],
    ['a repeated read is reported once', { or: [v('data.gone'), v('data.gone')] }, ['data.gone'], false],
    ['a missing row', 'data.nets[form.amount].min', ['data.nets[form.amount].min'], false],
    ['the length of a list is not a path', 'data.rows.length', ['data.rows.length'], false],
  ]
  test.each(table)('%s', (_, logic, missing, open) => {
    expect(guard(compile(logic), scope)).toEqual({ open, missing })
  })
})

describe('nothing reaches a prototype', () => {
  test.each([
    'constructor',
    'constructor.constructor',
    '__proto__',
    'data.__proto__',
    'data.info.constructor',
    'item.prototype.x',
    'get',
    'user.token',
    '',
  ])('path "%s" is refused', (path) => {
    expect(() => compile(path)).toThrow(ExpressionProblem)
    expect(() => compile(v(path))).toThrow(ExpressionProblem)
  })
  test.each(['data.toString', 'data.info.hasOwnProperty', 'data.info.text.length', 'data.rows.map', 'state.picked.join'])(
    '%s is missing',
    (path) => {
      expect(compile(path).evaluate(scope)).toEqual({ value: undefined, missing: [path] })
    },
  )
  test('an element gives no access to its prototype or to the scope', () => {
    const read = (path: string) => compile({ map: [rows, v(path)] }).evaluate(scope)
    for (const path of ['toString', 'valueOf', 'get', 'data.info', 'session']) {
      expect(read(path).value).toEqual([undefined, undefined, undefined])
      expect(read(path).missing).toEqual([path])
    }
    expect(() => compile({ map: [rows, v('constructor')] })).toThrow(ExpressionProblem)
  })
  test('members inherited by data are missing', () => {
    const inherited = scopeOf({ data: Object.create({ secret: 1 }) })
    expect(compile('data.secret').evaluate(inherited).missing).toEqual(['data.secret'])
    expect(scopeOf({}).get('constructor')).toBeUndefined()
  })
  test('words of operators cannot be members of Object', () => {
    expect(() => compile({ match: ['a', 'constructor'] })).toThrow(ExpressionProblem)
    expect(() => compile({ where: [rows, '__proto__', 1] })).toThrow(ExpressionProblem)
  })
})

test('evaluate never throws, whatever the scope does', () => {
  const broken = {
    get: () => {
      throw new Error('no scope')
    },
  }
  expect(compile('data.x').evaluate(broken)).toEqual({ value: undefined, missing: ['data.x'] })
  expect(compile({ '!': v('data.x') }).evaluate(broken)).toEqual({ value: undefined, missing: ['data.x'] })
  expect(compile({ format: ['ago', 1] }).evaluate(scope)).toEqual({ value: undefined, missing: ['format'] })
  expect(guard(compile({ format: ['ago', 1] }), scope).open).toBe(false)
})

test('nothing is written to the browser’s console', () => {
  const log = vi.spyOn(console, 'log')
  expect(() => compile({ log: 'x' })).toThrow()
  expect(log).not.toHaveBeenCalled()
})

test('dependencies are known before the evaluation', () => {
  expect(dependencies({ if: [v('state.a'), v('data.nets[form.network].min'), { format: ['price', { now: [] }] }] })).toEqual([
    'state.a',
    'data.nets',
    'form.network',
    'format',
    'clock',
  ])
  expect(dependencies({ filter: [rows, { '>': [v('price'), 1] }] })).toEqual(['data.rows'])
  expect(dependencies({ and: [{ valid: [] }, { has: 'data.x' }] })).toEqual(['formMeta', 'data.x'])
  expect(dependencies('feed[item.symbol].last')).toEqual(['feed[item.symbol]', 'item.symbol'])
  expect(dependencies('feed.BTCUSDT.last')).toEqual(['feed.BTCUSDT.last'])
})

test('literals and paths do not use the library', () => {
  expect(compile('item.symbol').path?.text).toBe('item.symbol')
  expect(compile(v('item.symbol')).path?.text).toBe('item.symbol')
  expect(compile(v('item.symbol', 1)).path).toBeUndefined()
  const fixed = compile(false)
  expect(fixed.literal).toBe(true)
  expect(fixed.evaluate(scope)).toBe(fixed.evaluate(scope))
  expect(value(v('item.symbol'))).toBe('ETH')
})
