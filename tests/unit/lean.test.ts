import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import routes from '#contract/routes.json'
import customerRoutes from '#contract/routes.user.json'
import { operators } from '#language/operators.ts'
import { routesAsText, unusedOfAxios, walkerOnly } from '#scripts/lean.ts'

const run = async (code: string) => (await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`)).default
const require = createRequire(import.meta.url)
const file = require.resolve('json-logic-js')

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
    const answers = [(await run(walkerOnly(readFileSync(file, 'utf8')))) as Walker, require('json-logic-js') as Walker].map((walker) => {
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
    const walked = ['if', 'and', 'or', 'filter', 'map', 'reduce', 'all', 'none', 'some']
    const read = ['var', 'has']
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
