import { readFileSync } from 'node:fs'
import { beforeEach, expect, test, vi } from 'vitest'
import { computingOperators } from '#language/expression/computing-operators.ts'

/** As in a browser, which starts without them. */
async function inBrowser() {
  vi.resetModules()
  vi.doMock('#computing-operators', () => ({ computingOperators: {} }))
  const { operators } = await import('#language/expression/operators.ts')
  const { compile, scopeOf } = await import('#language/expression/expression.ts')
  const late = await import('#renderer/engine/operators.ts')
  vi.doUnmock('#computing-operators')
  return { operators, compile, scopeOf, ...late }
}
type Browser = Awaited<ReturnType<typeof inBrowser>>
let browser: Browser
beforeEach(async () => {
  browser = await inBrowser()
})

const bodyOf = (key: string) => JSON.parse(readFileSync(`schemas/${key}.json`, 'utf8')) as unknown

test('home, its lists and the tab bar wait for none', () => {
  const first = ['app', 'screens/home/home', 'quick-entries/home', 'quick-entries/tabs'].map(bodyOf)
  expect(browser.hasOperators(first)).toBe(true)
})
test('each of them is waited for, wherever it stands; a document that lacks one is not', () => {
  for (const name of Object.keys(computingOperators))
    expect([name, browser.hasOperators([{ body: [{ show: { [name]: [1, 2] } }] }])]).toEqual([name, false])
  expect(browser.hasOperators([undefined, { props: { max: 3, min: 1 }, show: { '===': [{ var: 'state.a' }, 1] } }])).toBe(true)
})
test('nothing else is offered at the start, and nothing is left out', () => {
  for (const name of Object.keys(computingOperators)) expect(browser.operators).not.toHaveProperty([name])
  expect(browser.operators).toHaveProperty(['==='])
})
test('once they are here they compute, and every document does', async () => {
  const { compile, scopeOf, hasOperators, loadOperators } = browser
  const sum = { '+': ['0.1', '0.2'] }
  expect(() => compile(sum)).toThrow()
  await loadOperators()
  expect(compile(sum).evaluate(scopeOf({})).value).toBe('0.3')
  expect(hasOperators([{ show: sum }])).toBe(true)
})
