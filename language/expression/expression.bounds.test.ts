import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { limits } from '#language/documents/limits.ts'
import { compile, ExpressionProblem, guard, scopeOf } from '#language/expression/expression.ts'
import { coreMs } from '#tests/support/core-ms.ts'

const scope = scopeOf({ data: { info: { text: 'Hello' } }, state: { tab: 'hot' } })
const v = (path: string, ...more: unknown[]) => ({ var: more.length > 0 ? [path, ...more] : path })
const rows = v('data.rows')

const nested = (depth: number): unknown => {
  let logic: unknown = true
  for (let i = 0; i < depth; i += 1) logic = { '!': [logic] }
  return logic
}

describe('refused when published', () => {
  const table: [string, unknown, string, string][] = [
    ['unknown operator', { and: [true, { toString: [1] }] }, 'unknown_operator', '/and/1/toString'],
    ['==', { '==': [1, 1] }, 'refused_operator', '/=='],
    ['!=', { '!=': [1, 1] }, 'refused_operator', '/!='],
    ['log', { log: 'x' }, 'refused_operator', '/log'],
    ['method', { method: [v('data.x'), 'constructor', ['1']] }, 'refused_operator', '/method'],
    ['missing', { missing: ['data.a'] }, 'refused_operator', '/missing'],
    ['missing_some', { missing_some: [1, ['data.a']] }, 'refused_operator', '/missing_some'],
    ['internal operators cannot be written', { read: [0] }, 'unknown_operator', '/read'],
    ['computed path', { var: [{ var: 'state.x' }] }, 'computed_path', '/var/0'],
    ['computed path without a list', { var: { cat: ['to', 'ken'] } }, 'computed_path', '/var'],
    ['computed member', { where: [rows, v('state.tab'), 1] }, 'computed_name', '/where/1'],
    ['unknown root', { '!': v('user.token') }, 'unknown_root', '/!/var'],
    ['too deep', nested(17), 'too_deep', `${'/!/0'.repeat(17)}`],
    ['far too deep', nested(2_000), 'too_deep', `${'/!/0'.repeat(17)}`],
    ['too many parts', { max: Array.from({ length: 256 }, (_, i) => i) }, 'too_large', '/max/255'],
    ['too many arguments', { max: Array.from({ length: 3_000 }, (_, i) => i) }, 'arguments', '/max'],
    ['too few arguments', { '<': [1] }, 'arguments', '/<'],
    ['iteration inside iteration', { map: [rows, { filter: [v('x'), true] }] }, 'nested_iteration', '/map/1/filter'],
    ['a scan inside iteration', { map: [rows, { where: [v('x'), 'y', 1] }] }, 'nested_iteration', '/map/1/where'],
    ['two members', { '===': [1, 1], extra: 2 }, 'not_logic', ''],
    ['no members', {}, 'not_logic', ''],
    ['null', null, 'not_logic', ''],
    ['a function', { '!': () => 1 }, 'not_logic', '/!'],
    ['infinity', { '+': [Number.POSITIVE_INFINITY] }, 'not_logic', '/+/0'],
    ['bad bracket', 'data.a[form.b', 'bad_path', ''],
    ['double dot', 'data..a', 'bad_path', ''],
    ['long path', `data.${'a'.repeat(limits.pathLengthMax)}`, 'bad_path', ''],
    ['unknown pattern', { match: ['a', '^(a+)+$'] }, 'arguments', '/match/1'],
    ['unknown format', { format: ['html', 1] }, 'arguments', '/format/0'],
    ['$ inside logic', { '!': { $: 'data.a' } }, 'refused_operator', '/!/$'],
  ]
  test.each(table)('%s', (_, logic, code, pointer) => {
    try {
      compile(logic)
      expect.unreachable()
    } catch (problem) {
      expect(problem).toBeInstanceOf(ExpressionProblem)
      expect(problem).toMatchObject({ code, pointer })
    }
  })
  test('a circular tree is refused', () => {
    const ring: Record<string, unknown> = {}
    ring['!'] = [ring]
    expect(() => compile(ring)).toThrow(/levels deep/)
  })
})

describe('budget', () => {
  const list = (length: number) =>
    scopeOf({ data: { list: Array.from({ length }, (_, i) => ({ i, t: 'abcdefghij' })) }, state: { text: 'x'.repeat(9_000) } })
  const doubling = { cat: [v('accumulator'), v('accumulator')] }
  const table: [string, unknown, number, string][] = [
    ['text that doubles', { reduce: [v('data.list'), doubling, 'x'] }, 28, 'text'],
    ['two long texts', { cat: [v('state.text'), v('state.text')] }, 1, 'text'],
    ['too many elements', { map: [v('data.list'), 1] }, limits.expressionItemsMax + 1, 'items'],
    ['too much work', { map: [v('data.list'), { '+': Array.from({ length: 20 }, () => v('i')) }] }, 1_000, 'steps'],
    ['too many steps without operators', { map: [v('data.list'), Array.from({ length: 200 }, (_, i) => i)] }, 1_000, 'steps'],
    ['too many rows', { where: [v('data.list'), 'i', 1] }, limits.repeatItemsMax + 1, 'items'],
    ['scans add up', { and: Array.from({ length: 9 }, () => ({ '!': { where: [v('data.list'), 'i', -1] } })) }, 10_000, 'steps'],
    ['a text function with a too long result', { format: ['percent', 1] }, 1, 'text'],
  ]
  test.each(table)('%s', (_, logic, length, stopped) => {
    const around = scopeOf({ data: list(length).get('data'), state: list(1).get('state'), format: { percent: () => 'x'.repeat(20_000) } })
    const outcome = compile(logic).evaluate(around)
    expect(outcome).toMatchObject({ value: undefined, stopped })
    expect(guard(compile(logic), around).open).toBe(false)
  })
  test('numbers that grow without limit give nothing', () => {
    const logic = { reduce: [v('data.list'), { '*': [v('accumulator'), v('accumulator')] }, '99'] }
    expect(compile(logic).evaluate(list(30)).value).toBeNull()
  })
  test('the largest permitted scans succeed', () => {
    const rows_ = list(limits.repeatItemsMax)
    expect(compile({ where: [v('data.list'), 'i', 9_999] }).evaluate(rows_).value).toHaveLength(1)
    expect(compile({ search: [v('data.list'), 'J', 't'] }).evaluate(rows_).value).toHaveLength(10_000)
  })
  test('a nested evaluation has its own budget', () => {
    const inside = compile({ map: [v('data.list'), v('gone')] })
    const outer = scopeOf({ data: list(3).get('data') })
    const spy = { get: (root: string) => (root === 'state' ? { x: inside.evaluate(outer).missing.length } : outer.get(root)) }
    expect(compile({ '+': [v('state.x'), { len: v('data.list') }] }).evaluate(spy)).toEqual({ value: 4, missing: [] })
  })
})

interface Line {
  value: unknown
  note: string
}
const generated = (input: unknown): unknown => {
  const made = input as { $gen?: string; open: string; close: string; depth: number; middle: string } | null
  return made?.$gen === 'nest' ? JSON.parse(made.open.repeat(made.depth) + made.middle + made.close.repeat(made.depth)) : input
}
const lines: Line[] = readFileSync(new URL('../testdata/expression-inputs.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Line)

test.each(['a.b', 'cat.constructor', 'max.call', 'if.apply'])('"%s" is a function that nobody has: nothing runs', (name) => {
  const outcome = compile({ [name]: ['return globalThis'] }).evaluate(scope)
  expect(outcome.value).toBeUndefined()
  expect(outcome.missing.length).toBeGreaterThan(0)
})

describe('poison', () => {
  const table = lines
    .filter((line) => !JSON.stringify(line.value)?.includes('50000'))
    .map((line) => [line.note, generated(line.value)] as const)
  test.each(table)('%s', (note, logic) => {
    if (/^refuse/.test(note) && !/documented|doubling/.test(note)) return expect(() => compile(logic)).toThrow(ExpressionProblem)
    const outcome = compile(logic).evaluate(scope)
    expect(coreMs(() => compile(logic).evaluate(scope))).toBeLessThan(50)
    if (/doubling/.test(note)) expect(outcome).toMatchObject({ value: undefined, stopped: 'text' })
    else if (/13|Infinity/.test(note)) expect(outcome.value).toBeNull()
    else if (/gives true/.test(note)) expect(outcome.value).toBe(false)
    else expect(outcome.value).toBe('abc')
  })
  test('fifty thousand levels are refused before they are walked', () => {
    expect(lines.filter((line) => JSON.stringify(line.value).includes('50000'))).toHaveLength(1)
    expect(() => compile(nested(50_000))).toThrow(/levels deep/)
  })
})
