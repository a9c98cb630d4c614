import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { AnyDoc, ScreenDoc } from '#language/documents/documents.ts'
import { parse } from '#language/documents/parse.ts'
import { lint } from '#language/lint/run.ts'
import { catalog } from '#language/testdata/catalog.ts'
import { filesOf, texts } from '#language/testdata/project.ts'
import { compileTexts, formatted } from '#language/text/expression-texts.ts'

const screen = (node: object, more: object = {}) =>
  ({ kind: 'screen', id: 'a.b', format: 1, ...more, body: [{ id: 'x', widget: 'text', ...node }] }) as unknown as ScreenDoc
const file = 'schemas/screens/a/b.json'
const parsed = (doc: unknown) => parse([{ file, text: JSON.stringify(doc, null, 2) }])

describe('text becomes its tree, wherever an expression is allowed', () => {
  const sum = { '+': [{ var: 'state.a' }, 1] }
  test.each([
    ['a condition', screen({ show: 'state.a + 1' }), '/body/0/show', sum],
    ['a value', screen({ props: { text: { $: 'state.a + 1' } } }), '/body/0/props/text', { $: sum }],
    ['an argument of a text', screen({ props: { text: { $t: 'a.b', n: { $: 'state.a + 1' } } } }), '/body/0/props/text/n', { $: sum }],
    ['a list', screen({ repeat: { each: 'data.rows', key: 'id' } }), '/body/0/repeat/each', { $: 'data.rows' }],
    ['a list of an older document', screen({ repeat: { each: { $: 'data.rows' }, key: 'id' } }), '/body/0/repeat/each', { $: 'data.rows' }],
    ['a source', screen({}, { data: { d: { call: 'c', when: 'state.a + 1', args: { b: { $: 'state.c' } } } } }), '/data/d/when', sum],
    ['a step', screen({ on: { press: [{ if: 'state.a + 1', then: [] }] } }), '/body/0/on/press/0/if', sum],
    ['a computed route', screen({ on: { press: [{ go: { $: 'state.a + 1' } }] } }), '/body/0/on/press/0/go', { $: sum }],
    ['a path', screen({ show: 'state.a' }), '/body/0/show', 'state.a'],
    ['a tree', screen({ show: sum }), '/body/0/show', sum],
    ['a literal of a prop', screen({ props: { text: 'state.a + 1' } }), '/body/0/props/text', 'state.a + 1'],
  ])('%s', (_, doc, pointer, expected) => {
    const { documents, problems } = parsed(doc)
    expect(problems).toEqual([])
    let at: unknown = documents[0]?.doc
    for (const name of pointer.split('/').slice(1)) at = (at as Record<string, unknown>)[name]
    expect(at).toEqual(expected)
  })
})

test('an unreadable text is reported with line, column and the nearest name, and its document stays known to others', () => {
  const { documents, problems, partial } = parsed(screen({ show: 'stat.a and "x"' }))
  expect(documents).toEqual([])
  expect(problems).toEqual([
    expect.objectContaining({
      check: 'expressions',
      severity: 'error',
      file,
      line: 9,
      column: 16,
      pointer: '/body/0/show',
      suggestion: 'state.a',
    }),
  ])
  expect(partial.map(({ doc }) => (doc as ScreenDoc).body[0])).toMatchObject([{ id: 'x', show: false }])
})

test('a finding inside an expression has the column of its part', () => {
  const files = filesOf({ 'schemas/screens/z.json': screen({ show: "state.a = 'it' and data.nothing.b = 1" }) } as never)
  const { documents } = parse(files)
  const found = lint(documents, texts(), catalog).filter((one) => one.check === 'paths' && one.pointer.startsWith('/body/0/show'))
  const text = files[0]?.text ?? ''
  expect(found.length).toBeGreaterThan(0)
  const places = found.map(({ line, column = 0 }) => (text.split('\n')[line - 1] ?? '').slice(column - 1))
  expect(places).toEqual([expect.stringMatching(/^state\.a = /), expect.stringMatching(/^data\.nothing\.b = /)])
})

describe('a file in its printed form', () => {
  test('has text in place of trees, with the same meaning', () => {
    const tree = screen({ show: { and: [{ var: 'state.a' }, { '!': { '===': [{ var: 'state.b' }, "it's"] } }] } })
    const text = formatted(JSON.stringify(tree))
    expect(text).toContain(`"show": "state.a and not state.b = \\"it's\\""`)
    expect(parse([{ file, text }]).documents[0]?.doc).toEqual(parsed(tree).documents[0]?.doc)
    expect(formatted(text)).toBe(text)
  })

  test.each(['schemas/screens/fund/withdraw.json', 'schemas/forms/fund/withdraw.json', 'schemas/app.json'])('%s is printed so', (path) => {
    const text = readFileSync(path, 'utf8')
    expect(formatted(text)).toBe(text)
  })

  test.each(['{"a"', '{"a": 1, "a": 2}', '['.repeat(9_000)])('%.20s is unchanged', (text) => {
    expect(formatted(text)).toBe(text)
  })

  test('an unfinished value becomes text again', () => {
    const text = formatted(JSON.stringify(screen({ show: { $unfinished: 'state.a <=' } })))
    expect(text).toContain('"show": "state.a <="')
  })
})

test('a document without expressions is unchanged', () => {
  const doc = { kind: 'theme', id: 'theme' } as unknown as AnyDoc
  expect(compileTexts(structuredClone(doc))).toEqual([])
})
