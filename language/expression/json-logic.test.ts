import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { compile, scopeOf } from '#language/expression/expression.ts'
import { parseLogic } from '#language/text/logic-text.ts'

/** Trees of expressions are JSON-Logic: for the operators of both, the package as others use it gives the same value. */

type JsonLogic = { apply: (logic: unknown, data: unknown) => unknown }
/** A copy of its own, because the engine gives the shared one its operators. */
function freshLibrary(): JsonLogic {
  const load = createRequire(import.meta.url)
  const path = load.resolve('json-logic-js')
  const shared = load.cache[path]
  delete load.cache[path]
  const fresh = load(path) as JsonLogic
  if (shared) load.cache[path] = shared
  return fresh
}
const library = freshLibrary()

const data = { row: { price: 7, tags: ['new', 'hot'] }, name: 'Ada', list: [1, 2, 3], on: true, off: false, rows: [{ n: 1 }, { n: 5 }] }

test.each<[text: string, value: unknown]>([
  ['data.row.price', 7],
  ['data.row.price == 7', true],
  ['data.row.price != 7', false],
  ['data.row.price > 3 and data.on', true],
  ['not data.on or data.row.price < 3', false],
  ["if(data.off, 'yes', 'no')", 'no'],
  ['data.row.price + 2 * 3 - 1', 12],
  ['data.row.price / 2', 3.5],
  ['data.row.price % 4', 3],
  ['min(data.row.price, 3)', 3],
  ['max(data.row.price, 3)', 7],
  ["cat(data.name, '-', data.row.price)", 'Ada-7'],
  ['substr(data.name, 1, 1)', 'd'],
  ["'d' in data.name", true],
  ["'hot' in data.row.tags", true],
  ['1 < data.row.price < 9', true],
  ['7 <= data.row.price', true],
])('%s', (text, value) => {
  const read = parseLogic(text)
  if (!read.ok) throw new Error(read.problem.message)
  // Arithmetic is exact here, and its result may be decimal text.
  const { value: ours } = compile(read.logic).evaluate(scopeOf({ data }))
  expect([typeof value === 'number' ? Number(ours) : ours, library.apply(read.logic, { data })]).toEqual([value, value])
})

test.each<[tree: object, value: unknown]>([
  [{ filter: [{ var: 'data.rows' }, { '>': [{ var: 'n' }, 2] }] }, [{ n: 5 }]],
  [{ map: [{ var: 'data.rows' }, { var: 'n' }] }, [1, 5]],
  [{ all: [{ var: 'data.rows' }, { '>': [{ var: 'n' }, 0] }] }, true],
  [{ some: [{ var: 'data.rows' }, { '>': [{ var: 'n' }, 4] }] }, true],
  [{ none: [{ var: 'data.rows' }, { '>': [{ var: 'n' }, 4] }] }, false],
  [{ reduce: [{ var: 'data.list' }, { '+': [{ var: 'current' }, { var: 'accumulator' }] }, 0] }, 6],
  [{ '!!': { var: 'data.on' } }, true],
])('a tree: %j', (tree, value) => {
  expect([compile(tree).evaluate(scopeOf({ data })).value, library.apply(tree, { data })]).toEqual([value, value])
})

test('operators of this language alone are none of the library', () => {
  expect(() => library.apply({ has: [{ var: 'data.name' }] }, { data })).toThrow('has')
})
