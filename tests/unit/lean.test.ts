import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { parseAst } from 'vite'
import { describe, expect, test } from 'vitest'
import routes from '#contract/routes.json'
import customerRoutes from '#contract/routes.user.json'
import { operators } from '#language/expression/operators.ts'
import { noMutations, routesAsText, unusedOfAxios, walkerOnly, withoutReasons } from '#scripts/lean.ts'

const run = async (code: string) => (await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`)).default
const require = createRequire(import.meta.url)
const file = require.resolve('json-logic-js')

/** The package anew: what is added to it here stays out of the one that other tests compute with. */
function freshPackage(): Walker {
  const { [file]: kept } = require.cache
  delete require.cache[file]
  try {
    return require(file) as Walker
  } finally {
    require.cache[file] = kept
  }
}

interface Walker {
  apply(logic: unknown, data?: unknown): unknown
  add_operation(name: string, run: (...args: never[]) => unknown): void
}

describe('the walker that the app is built with', () => {
  const even = { '===': [{ '%': [{ own: [] }, 2] }, 0] }
  test.for([
    { if: [false, 1, true, 2, 3] },
    { if: [[], 1] },
    { and: [1, 0, 2] },
    { or: [0, '', 'x'] },
    { map: [[1, 2], { '+': [{ own: [] }, 1] }] },
    { filter: [[1, 2, 4], even] },
    { filter: [null, even] },
    { all: [[2, 4], even] },
    { all: [[], even] },
    { none: [[1], even] },
    { some: [[1, 2], even] },
    { some: ['text', even] },
    { reduce: [[1, 2], { '+': [1, 1] }, 0] },
    [1, { '+': [1, 2] }],
  ])('walks %j as the whole package does', async (logic) => {
    const answers = [(await run(walkerOnly(readFileSync(file, 'utf8')))) as Walker, freshPackage()].map((walker) => {
      walker.add_operation('own', function own(this: unknown) {
        return this
      } as never)
      walker.add_operation('+', ((a: number, b: number) => a + b) as never)
      walker.add_operation('%', ((a: number, b: number) => a % b) as never)
      walker.add_operation('===', ((a: unknown, b: unknown) => a === b) as never)
      return walker.apply(logic)
    })
    expect(answers[0]).toEqual(answers[1])
  })

  test('every operator that may be published is walked, read through a path, or brought by the language', () => {
    const walked = ['if', 'and', 'or', 'filter', 'find', 'map', 'reduce', 'all', 'none', 'some']
    const read = ['var', 'has', 'present', 'outer']
    const left = Object.keys(operators).filter((name) => !operators[name]?.run && !walked.includes(name) && !read.includes(name))
    expect(left).toEqual([])
  })

  test('another package is refused, not cut blindly', () => {
    expect(() => walkerOnly('module.exports = {}')).toThrow('json-logic-js')
  })
})

test.each(Object.keys(unusedOfAxios))('axios has a file %s that can be left out', (name) => {
  expect(existsSync(join(dirname(require.resolve('axios/package.json')), 'lib', name))).toBe(true)
})

test.for([routes, customerRoutes] as Record<string, string[]>[])('the calls as text are the calls', async (rows) => {
  const expected = Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, row.filter((part) => part !== 'upload')]))
  expect(await run(routesAsText(rows))).toEqual(expected)
})

test.for([
  [{ 'a.b': ['DELETE', '/a/b', 'user'] }, ['DELETE', '/a/b', 'user']],
  [{ 'a.b': ['POST', '/x', 'none'] }, ['POST', '/x', 'none']],
  [{ 'a.b': ['PUT', '/a/b', 'none'] }, ['PUT', '/a/b', 'none']],
  [{ 'a.b': ['POST', '/x', 'user', 'keyed'] }, ['POST', '/x', 'user', 'keyed']],
  [{ 'a.b': ['POST', '/a/b', 'user', 'upload', 'keyed'] }, ['POST', '/a/b', 'user', 'keyed']],
] as const)('%j keeps method, path and who may call', async ([rows, row]) => {
  expect((await run(routesAsText(rows)))['a.b']).toEqual(row)
})

test('in place of mutations stands all that the client of queries calls of them', () => {
  const client = readFileSync(join(dirname(require.resolve('@tanstack/query-core')), '../modern/queryClient.js'), 'utf8')
  const called = new Set([...client.matchAll(/#mutationCache\.(\w+)/g)].map(([, name]) => name))
  expect(called.size).toBeGreaterThan(0)
  for (const name of called) expect(noMutations).toContain(`  ${name}() {`)
})

describe('why something is refused stays with the publisher, that it is refused does not', () => {
  const { transform } = withoutReasons()
  const { handler } = transform as unknown as { handler(this: unknown, code: string): { code: string } }
  test.for([
    ['throw new ExpressionProblem(code, place.pointer, "no such")', 'throw new ExpressionProblem()'],
    ['if (deep) refuse("too_deep", at(0), "deep")', 'if (deep) refuse()'],
    ['const at = { ...here, depth: 1, pointer: here.pointer }', 'const at = { ...here, depth: 1,  }'],
    ['const at = { pointer, depth: 1 }', 'const at = {  depth: 1 }'],
    ['function read({ pointer = "" }) { return pointer }', 'function read({ pointer = "" }) { return pointer }'],
    ['function checkWords(op) { judge(op) }', 'function checkWords(op) {}'],
    ['function check(op) { judge(op) }', 'function check(op) { judge(op) }'],
    ['class ExpressionProblem extends Error { code }', 'class ExpressionProblem extends Error {}'],
    ['class CallProblem extends Error { code }', 'class CallProblem extends Error { code }'],
    ['const p = compile(text, `$' + '{place.pointer}/x`)', "const p = compile(text, '')"],
  ] as const)('%s', ([from, to]) => {
    expect(handler.call({ parse: parseAst }, from).code).toBe(to)
  })
})
