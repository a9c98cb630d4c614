import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

/**
 * A rule whose subject is anything at all, selected only by its place among others, makes every browser look at all that stands beside an
 * element that comes or goes, in every list of the app: hundreds of elements for one row. The subject must have a tag, a class or an
 * attribute.
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

  test.for([
    ['max(16px, var(--type-sm))', true],
    ['16px', true],
    ['1.5rem', true],
    ['inherit', false],
    ['var(--type-sm)', false],
    ['0.875rem', false],
  ] as const)('a control of %s does not make a phone enlarge the page: %s', ([size, wanted]) => {
    expect(isLarge(size)).toBe(wanted)
  })

  test('of controls have at least 16 px, so that phones do not enlarge the page', () => {
    const root = join(import.meta.dirname, '../..')
    const views = ['app', 'renderer', 'widgets'].flatMap((room) =>
      readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
        .filter((name) => /(?<!test|fixture)\.tsx$/.test(name) && !/^(?:gallery|inspector)\//.test(name))
        .map((name) => join(room, name)),
    )
    let controls = 0
    const small = views.flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      const sheets = new Map(
        [...text.matchAll(/import (\w+) from '#([^']+\.module\.css)'/g)].map(([, name = '', path = '']) => [
          name,
          readFileSync(join(root, path), 'utf8'),
        ]),
      )
      return controlsOf(text).flatMap((control) => {
        controls++
        const tag = /^<(\w+)/.exec(control)?.[1] ?? ''
        const classes = [...control.matchAll(/\b(\w+)\.(\w+)\b/g)].flatMap(([, name = '', one = '']) =>
          sheets.has(name) ? [[name, one] as const] : [],
        )
        return [...sheets].flatMap(([name, css]) => {
          const own = [tag, ...classes.flatMap(([sheet, one]) => (sheet === name ? [`.${one}`] : []))]
          return sizesOf(css, own)
            .filter((size) => !isLarge(size))
            .map((size) => `${file}: ${own.join(' or ')} has ${size}`)
        })
      })
    })
    expect(controls).toBeGreaterThan(10)
    expect(small).toEqual([])
    expect(readFileSync(join(root, 'renderer/base.css'), 'utf8')).toMatch(/:where\(input, select, textarea\) \{\s+font-size: max\(16px,/)
  })
})

/** Sizes of at least 16 px whatever the theme says. */
const isLarge = (size: string) =>
  /^max\(16px,/.test(size) || /^(?:1[6-9]|[2-9]\d)px$/.test(size) || /^(?:[1-9]\d*(?:\.\d+)?)rem$/.test(size)

/** Controls that a person types or chooses in, as written in a view. */
const controlsOf = (text: string) =>
  [...text.matchAll(/<(?:input|select|textarea)\b(?:=>|[^>])*>/g)]
    .map(([all]) => all)
    .filter((one) => !/type="(?:checkbox|radio|range|file|hidden)"/.test(one))

/** Sizes of text that a sheet gives to subjects of these tags and classes. */
function sizesOf(css: string, subjects: readonly string[]): string[] {
  return [...css.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(/([^{};]+)\{([^{}]*)\}/g)].flatMap(([, list = '', body = '']) => {
    const isOf = list.split(',').some((one) => {
      const subject =
        one
          .trim()
          .split(/[\s>+~]+/)
          .at(-1) ?? ''
      return !subject.includes('::') && subjects.some((name) => new RegExp(`${name.replace('.', '\\.')}(?![\\w-])`).test(subject))
    })
    const size = /(?:^|;)\s*font-size:\s*([^;]+)/.exec(body)?.[1]?.trim()
    return isOf && size !== undefined ? [size] : []
  })
}
