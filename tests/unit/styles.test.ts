import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

/**
 * A rule whose subject is anything at all, told only by its place among others, makes every browser look at all that stands beside an element
 * that comes or goes, in every list of the app: hundreds of elements for one row. The subject must have a tag, a class or an attribute.
 */
const placed = /:(?:first|last|only|nth)-[\w-]+/
function anySubject(selector: string): boolean {
  const parts = selector
    .replace(/\([^()]*\)/g, '')
    .replace(/"[^"]*"/g, '')
    .trim()
    .split(/\s*([\s>+~])\s*/)
  const subject = parts.at(-1) ?? ''
  const named = /^[a-z]|[.#[]|:(?:is|where|global)/i.test(subject.replace(/^\*/, ''))
  return !named && (/[+~]/.test(parts.at(-2) ?? '') || placed.test(subject))
}
function subjectsOf(css: string): string[] {
  const rules = css.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(/([^{};]+)\{/g)
  return [...rules].flatMap(([, list = '']) => (list.trim().startsWith('@') ? [] : list.split(/,(?![^(]*\))/).map((one) => one.trim())))
}

describe('styles', () => {
  test.for([
    ['.a > * + *', true],
    ['.a > :first-child', true],
    ['.a img + *', true],
    ['.a ~ :hover', true],
    ['.a > .b:first-child', false],
    ['.a + .b', false],
    ['.a > *', false],
    ['li:nth-child(2)', false],
    ['.a > :is(p, b):last-child', false],
    ['.a > [data-x]:only-child', false],
    ['.a[data-sign="+"]', false],
  ] as const)('%s: %s', ([selector, wanted]) => {
    expect(anySubject(selector)).toBe(wanted)
  })

  test('of the app name what they are for', () => {
    const root = join(import.meta.dirname, '../..')
    const files = ['app', 'renderer', 'widgets'].flatMap((room) =>
      readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.css') && !name.startsWith('gallery/') && !name.startsWith('inspector/'))
        .map((name) => join(room, name)),
    )
    expect(files.length).toBeGreaterThan(30)
    const found = files.flatMap((file) =>
      subjectsOf(readFileSync(join(root, file), 'utf8'))
        .filter(anySubject)
        .map((selector) => `${file}: ${selector}`),
    )
    expect(found).toEqual([])
  })
})
