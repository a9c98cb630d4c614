import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from '#language/documents/parse.ts'
import { factsOf } from '#language/documents/walk.ts'
import { compile, ExpressionProblem, scopeOf } from '#language/expression/expression.ts'
import { operators } from '#language/expression/operators.ts'
import { toText } from '#language/text/infix.ts'
import { parseLogic, sameLogic } from '#language/text/logic-text.ts'

const v = (path: string) => ({ var: path })

describe('what is typed', () => {
  const table: [string, unknown][] = [
    [
      'form.amount <= data.info.available and session.kyc >= 1',
      { and: [{ '<=': [v('form.amount'), v('data.info.available')] }, { '>=': [v('session.kyc'), 1] }] },
    ],
    ['data.info.enabled', v('data.info.enabled')],
    ['state.tab == "hot" || state.tab===\'all\'', { or: [{ '===': [v('state.tab'), 'hot'] }, { '===': [v('state.tab'), 'all'] }] }],
    ['not state.a and state.b', { and: [{ '!': v('state.a') }, v('state.b')] }],
    ['not (state.a and state.b)', { '!': { and: [v('state.a'), v('state.b')] } }],
    ['1 + 2 + 3 - 4', { '-': [{ '+': [1, 2, 3] }, 4] }],
    ['(1 + 2) + 3', { '+': [{ '+': [1, 2] }, 3] }],
    ['1 - 2 - 3', { '-': [{ '-': [1, 2] }, 3] }],
    ['2 * -3', { '*': [2, -3] }],
    ['-(3)', { '-': 3 }],
    ['-form.a * 2', { '*': [{ '-': v('form.a') }, 2] }],
    ['index-1', { '-': [v('index'), 1] }],
    ['1 < form.a < 3', { '<': [1, v('form.a'), 3] }],
    ['1 ≤ form.a', { '<=': [1, v('form.a')] }],
    ['data.nets[form.network].min ?? 0', { var: ['data.nets[form.network].min', 0] }],
    ['filter(data.rows, .price > (. ?? 0))', { filter: [v('data.rows'), { '>': [v('price'), { var: ['', 0] }] }] }],
    [
      'reduce(data.rows, .accumulator + .current, form.start)',
      { reduce: [v('data.rows'), { '+': [v('accumulator'), v('current')] }, v('form.start')] },
    ],
    ['len(data.rows) ?? 0', { if: [{ present: [{ len: v('data.rows') }] }, { len: v('data.rows') }, 0] }],
    ['(form.a / form.b) ?? -1', { if: [{ present: [{ '/': [v('form.a'), v('form.b')] }] }, { '/': [v('form.a'), v('form.b')] }, -1] }],
    ['(data.x) ?? 1', { var: ['data.x', 1] }],
    ['data.x ?? data.y ?? 1', { var: ['data.x', { var: ['data.y', 1] }] }],
    [
      'first(data.rows, 1) ?? data.y ?? 1',
      { if: [{ present: [{ first: [v('data.rows'), 1] }] }, { first: [v('data.rows'), 1] }, { var: ['data.y', 1] }] },
    ],
    ['max(data.x, 1) ?? 0 = 2', { '===': [{ if: [{ present: [{ max: [v('data.x'), 1] }] }, { max: [v('data.x'), 1] }, 0] }, 2] }],
    [
      'filter(data.rows, max(.a, 1) ?? 0 > 1)',
      { filter: [v('data.rows'), { '>': [{ if: [{ present: [{ max: [v('a'), 1] }] }, { max: [v('a'), 1] }, 0] }, 1] }] },
    ],
    ['has(data.x)', { has: 'data.x' }],
    ['match(form.user, "digits")', { match: [v('form.user'), 'digits'] }],
    ['"a" in ["a", "b"]', { in: ['a', ['a', 'b']] }],
    ['len([1, 2])', { len: [[1, 2]] }],
    ['valid()', { valid: [] }],
    ['  if ( true , 1, null )  '.replace('if (', 'if('), { if: [true, 1, null] }],
    ['cat("say \\"hi\\" – ", form.a)', { cat: ['say "hi" – ', v('form.a')] }],
  ]
  test.each(table)('%s', (text, logic) => {
    expect(parseLogic(text)).toMatchObject({ ok: true, logic })
  })
})

describe('errors with their place and what is possible there', () => {
  const table: [string, string, RegExp, { expected?: string; suggestion?: string }][] = [
    ['', '', /no expression/, { expected: 'a path' }],
    ['form.amount <=', '', /expression is incomplete/, { expected: 'a number' }],
    ['form.amount <= and 3', 'and', /"and" where a value is expected/, { expected: 'a path' }],
    ['(form.a', '', /not closed/, { expected: ')' }],
    ['form.a form.b', 'form.b', /is not expected here/, { expected: 'and' }],
    ['frm.amount > 1', 'frm.amount', /neither a path nor a keyword/, { suggestion: 'form.amount' }],
    ['session.kyc >= one', 'one', /put texts in quotes/, {}],
    ['state.tab = "hot', '"hot', /not closed/, { expected: '"' }],
    ['lenn(data.x)', 'lenn', /no operator "lenn"/, { suggestion: 'len' }],
    ['len(data.x, 1)', 'len(data.x, 1)', /takes 1 values, not 2/, {}],
    ['match(form.x, "digit")', '"digit"', /knows/, { suggestion: 'digits' }],
    ['filter(data.rows, price > 1)', 'price', /start with a dot/, { suggestion: '.price' }],
    ['.price > 1', '.price', /start with its root/, { expected: 'form' }],
    ['1 = 2 = 3', '3', /needs parentheses/, {}],
    ['form.a = not form.b', 'not', /parentheses/, {}],
    ['!form.a', '!', /as a word/, { suggestion: 'not' }],
    ['form.__proto__', 'form.__proto__', /cannot be read/, {}],
    ['form.', '.', /name is missing/, {}],
    ['form.a # 1', '#', /is not allowed here/, {}],
    ['map(data.a, len(filter(.b, .c)))', 'filter(.b, .c)', /is not allowed inside another iteration/, {}],
    ['"just a text"', '"just a text"', /literal/, {}],
    ['('.repeat(500), '(', /too many nested parentheses/, {}],
    [`${'not '.repeat(500)}form.a`, 'not', /too many "not"/, {}],
    [Array.from({ length: 140 }, () => 'form.a').join(' + '), 'form.a', /at most 256 parts/, {}],
  ]
  test.each(table.map((row) => [row[0].slice(0, 40), ...row] as const))('%s', (_, text, where, said, { expected, suggestion }) => {
    const read = parseLogic(text)
    if (read.ok) return expect.unreachable()
    const { from, to, message } = read.problem
    expect(message).toMatch(said)
    expect(text.slice(from, to)).toBe(where)
    if (expected) expect(read.problem.expected).toContain(expected)
    if (suggestion) expect(read.problem.suggestion).toBe(suggestion)
  })

  test('random texts give a result or an error with a place', () => {
    const part = fc.constantFrom(
      'form.a',
      'not',
      'and',
      'or',
      '(',
      ')',
      '[',
      ']',
      ',',
      '"x"',
      '1',
      '-',
      '<=',
      'in',
      'len(',
      '??',
      '.b',
      'if(',
      '=',
      '"',
      '.',
      '+',
      ' ',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(part, { maxLength: 14 }).map((parts) => parts.join(' ')),
          fc.string({ maxLength: 20 }),
        ),
        (text) => {
          const read = parseLogic(text)
          if (read.ok) expect(sameLogic(read.logic, (parseLogic(toText(read.logic)) as { logic: unknown }).logic)).toBe(true)
          else expect(read.problem.from >= 0 && read.problem.from <= read.problem.to && read.problem.to <= text.length).toBe(true)
        },
      ),
      { numRuns: 2_000, seed: 3 },
    )
  })
})

test('a part of the logic knows its place in the text', () => {
  const text = 'form.amount <= data.info.available and has(state.x)'
  const read = parseLogic(text)
  if (!read.ok) return expect.unreachable()
  const shown = (pointer: string) => {
    const place = read.places.get(pointer)
    return place && text.slice(place.from, place.to)
  }
  expect(['', '/and/0', '/and/0/<=/1', '/and/0/<=/1/var', '/and/1/has'].map(shown)).toEqual([
    text,
    'form.amount <= data.info.available',
    'data.info.available',
    'data.info.available',
    'state.x',
  ])
})

const back = (logic: unknown) => {
  const text = toText(logic)
  const read = parseLogic(text)
  return read.ok ? read.logic : `${text}: ${read.problem.message}`
}

test('every expression of the product survives conversion to text and back', () => {
  const files = readdirSync('schemas', { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.json') && !/^(meta|flows)/.test(file),
  )
  const { documents } = parse(files.map((file) => ({ file, text: readFileSync(`schemas/${file}`, 'utf8') })))
  const found: unknown[] = []
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if (Object.hasOwn(value, '$')) found.push((value as { $: unknown }).$)
    for (const part of Object.values(value)) collect(part)
  }
  for (const { doc } of documents) {
    const facts = factsOf(doc)
    found.push(...facts.logics.map(({ logic }) => logic).filter((logic) => typeof logic !== 'boolean'))
    for (const { value } of facts.values) collect(value)
  }
  expect(found.length).toBeGreaterThan(200)
  for (const logic of found) expect([logic, sameLogic(back(logic), logic)]).toEqual([logic, true])
})

const roots = fc.constantFrom('data.rows', 'state.a', 'form.amount', 'data.nets[form.network].min', 'index', 'data.a-b.0', 'session.kyc')
const elements = fc.constantFrom('', 'price', 'a.b', 'list[id].x', 'accumulator')
const literal = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.string({ maxLength: 6 }),
  fc.constantFrom(true, false, null, 'digits', 'down', 'name'),
)
const scans = ['where', 'whereIn', 'search', 'rename']
const bodies = Object.keys(operators).filter((op) => operators[op]?.body)
const others = Object.keys(operators).filter((op) => !bodies.includes(op) && !scans.includes(op) && op !== 'var' && op !== 'has')
const treeOf = (paths: fc.Arbitrary<string>, iterate: boolean): fc.Arbitrary<unknown> =>
  fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5, depthSize: 'medium' },
      fc.oneof(literal, paths.map(v)),
      paths.map((path) => ({ has: path || 'x' })),
      fc.tuple(paths, tie('tree')).map(([path, other]) => ({ var: [path, other] })),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.tuple(fc.constantFrom(...others), fc.array(tie('tree'), { maxLength: 4 })).map(([op, args]) => ({ [op]: args })),
      fc
        .tuple(fc.constantFrom('!', '-', '+', 'len', 'and', 'or', '!!'), tie('tree'))
        .map(([op, arg]) => ({ [op]: Array.isArray(arg) ? [arg] : arg })),
      ...(iterate
        ? [
            fc
              .tuple(fc.constantFrom(...bodies), tie('tree'), treeOf(elements, false), tie('tree'))
              .map(([op, list, body, start]) => ({ [op]: op === 'reduce' ? [list, body, start] : [list, body] })),
          ]
        : []),
    ),
  })).tree

test('random trees survive conversion to text and back', () => {
  let legal = 0
  fc.assert(
    fc.property(treeOf(roots, true), (logic) => {
      if (typeof logic !== 'object' || logic === null) return
      try {
        compile(logic)
      } catch (problem) {
        if (problem instanceof ExpressionProblem) return
        throw problem
      }
      if (Array.isArray(logic)) return
      legal += 1
      expect([toText(logic), back(logic), sameLogic(back(logic), logic)]).toEqual([toText(logic), expect.anything(), true])
    }),
    { numRuns: 6_000, seed: 5 },
  )
  expect(legal).toBeGreaterThan(1_000)
})

describe('the value behind ??', () => {
  const scope = scopeOf({ data: { rows: [{ id: 1, code: 'BTC' }], none: null }, form: { a: '6', b: '0' }, state: { text: '' } })
  test.each<[string, unknown]>([
    ["find(data.rows, .id = 1, 'code') ?? 'none'", 'BTC'],
    ["find(data.rows, .id = 9, 'code') ?? 'none'", 'none'],
    ["find(data.rows, .id = 9, 'code') ?? data.gone ?? 'last'", 'last'],
    ['(form.a / form.b) ?? 0', 0],
    ['(form.a / 2) ?? 0', '3'],
    ['(data.gone + 1) ?? -1', -1],
    ["data.rows[data.gone].code ?? 'no row'", 'no row'],
    ['(data.none) ?? 1', null],
    ['len(data.rows) ?? 0 = 1', true],
    ["cat(state.text) ?? 'empty'", ''],
  ])('%s is %j', (text, value) => {
    const read = parseLogic(text)
    expect(read.ok && compile(read.logic).evaluate(scope)).toEqual({ value, missing: [] })
    expect(parseLogic(toText(read.ok && read.logic))).toMatchObject({ ok: true, logic: read.ok && read.logic })
  })
  test.each(['1 ?? 2', "'a' ?? 'b'", '[1] ?? 2', 'data.x ??'])('%s is refused', (text) => {
    expect(parseLogic(text).ok).toBe(false)
  })
})

describe('a number that a double cannot hold is refused with its place, and written as text', () => {
  test.each(['9007199254740993', '12345678901234567890', '0.1234567890123456789', '1.00000000000000000001', '1e400', '-9007199254740993'])(
    '%s',
    (number) => {
      const digits = number.replace('-', '')
      const read = parseLogic(`form.amount < ${number}`)
      const from = 'form.amount < '.length + (number.length - digits.length)
      expect(read).toMatchObject({
        ok: false,
        problem: { from, to: from + digits.length, message: expect.stringContaining(`write it as text, '${digits}'`) },
      })
      expect(parseLogic(`form.amount < '${number}'`).ok).toBe(true)
    },
  )
  test.each(['9007199254740992', '0.1', '1.50', '1e21', '0.000001', '100000000000000000000', '1.0'])('%s is taken', (number) => {
    expect(parseLogic(`form.amount < ${number}`)).toMatchObject({ ok: true, logic: { '<': [{ var: 'form.amount' }, Number(number)] } })
  })
})
