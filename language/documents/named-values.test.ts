import { describe, expect, test } from 'vitest'
import type { AnyDoc, PromptDoc, ScreenDoc } from '#language/documents/documents.ts'
import { parse } from '#language/documents/parse.ts'
import { prepare } from '#language/documents/prepare.ts'
import { compile, scopeOf } from '#language/expression/expression.ts'
import { lint } from '#language/lint/run.ts'
import { catalog } from '#language/testdata/catalog.ts'
import { documents, filesOf, texts } from '#language/testdata/project.ts'
import { toText } from '#language/text/infix.ts'

const home = 'schemas/screens/home.json'

/** The sample product with a home screen whose only text shows an expression, and these named values. */
function project(values: Record<string, unknown>, shown: string, show?: string) {
  const docs = documents() as Record<string, Record<string, unknown>>
  docs[home] = {
    ...docs[home],
    values,
    state: { n: 1, rows: [{ id: 'a', n: 2 }], key: 'a' },
    body: [{ id: 'shown', widget: 'text', props: { text: { $: shown } }, ...(show !== undefined && { show }) }],
  }
  return parse(filesOf(docs))
}
/** The expression published for `shown`, as text. */
function published(values: Record<string, unknown>, shown: string): string {
  const { documents: read, problems } = project(values, shown)
  expect(problems).toEqual([])
  const doc = prepare(read, catalog).find(({ key }) => key === 'screen/home')?.doc as ScreenDoc
  expect(doc).not.toHaveProperty('values')
  const [node] = doc.body as unknown as { props: { text: { $: unknown } } }[]
  return toText(node?.props.text.$)
}
/** Findings about the values: check, pointer, column, message. */
function said(values: Record<string, unknown>, shown: string) {
  const { documents: read } = project(values, shown)
  return lint(read, texts(), catalog)
    .filter(({ file, check }) => file === home && ['expressions', 'paths', 'operands', 'fragments', 'values'].includes(check))
    .map(({ pointer, column, message, suggestion }) => ({ pointer, column, message, suggestion }))
}

describe('reading a value gives its expression', () => {
  test.each<[name: string, values: Record<string, unknown>, shown: string, made: string]>([
    ['by itself', { two: 'state.n + 1' }, 'values.two', 'state.n + 1'],
    ['a path', { one: 'state.n' }, 'values.one', 'state.n'],
    ['in an expression', { two: 'state.n + 1' }, 'values.two * 2', '(state.n + 1) * 2'],
    ['in another value', { four: 'values.two * 2', two: 'state.n + 1' }, 'values.four', '(state.n + 1) * 2'],
    ['a longer path', { row: 'state.rows.0' }, 'values.row.n', 'state.rows.0.n'],
    ['in brackets', { id: 'state.key' }, 'state.rows[values.id].n', 'state.rows[state.key].n'],
    ['has(…) of a path', { one: 'state.n' }, 'has(values.one)', 'has(state.n)'],
    ['asked for, computed', { two: 'state.n + 1' }, 'has(values.two)', 'has(state.n + 1)'],
    ['a path with a fallback', { one: 'state.n' }, 'values.one ?? 3', 'state.n ?? 3'],
    ['a computed value with a fallback', { two: 'state.n + 1' }, 'values.two ?? 3', '(state.n + 1) ?? 3'],
    ['inside an iteration', { least: 'state.n' }, 'filter(state.rows, .n > values.least)', 'filter(state.rows, .n > state.n)'],
    [
      'computed, inside an iteration',
      { least: 'state.n + 1' },
      'len(filter(state.rows, has(values.least) and .n > values.least))',
      'len(filter(state.rows, has(state.n + 1) and .n > state.n + 1))',
    ],
    ['the list of an iteration', { list: "where(state.rows, 'n', 2)" }, 'map(values.list, .n)', "map(where(state.rows, 'n', 2), .n)"],
  ])('%s', (_, values, shown, made) => expect(published(values, shown)).toBe(made))

  test('in forms and prompts too', () => {
    const prompt = { kind: 'prompt', id: 'p', format: 1, values: { sum: 'params.a + params.b' }, title: { $: 'values.sum' } }
    const { documents: read } = parse([{ file: 'schemas/prompts/p.json', text: JSON.stringify(prompt) }])
    const [{ doc }] = prepare(read, catalog) as unknown as [{ doc: PromptDoc }]
    expect(toText((doc.title as { $: unknown }).$)).toBe('params.a + params.b')
  })
  test('a document without named values is returned unchanged', () => {
    const { documents: read } = parse(filesOf(documents()))
    const before = JSON.stringify(read.map(({ doc }) => doc))
    prepare(read, catalog)
    expect(JSON.stringify(read.map(({ doc }) => doc))).toBe(before)
  })
})

describe('a computed value in has(…)', () => {
  const read = (text: string) => {
    const doc = { kind: 'prompt', id: 'p', format: 1, title: { $: text } }
    const [made] = parse([{ file: 'p.json', text: JSON.stringify(doc) }]).documents
    return compile(((made as { doc: AnyDoc }).doc as PromptDoc & { title: { $: unknown } }).title.$)
  }
  const scope = scopeOf({ state: { n: 1, empty: null }, data: {} })
  test.each<[text: string, value: unknown, missing: readonly string[]]>([
    ['has(state.n + 1)', true, []],
    ['has(data.gone + 1)', false, []],
    ['not has(data.gone + 1)', true, []],
    ['if(has(data.gone + 1), data.gone + 1, 3)', 3, []],
    ['has(state.empty + 1)', false, []],
    ['has(if(has(data.gone), data.gone, state.n))', true, []],
    ['has(if(has(data.gone + 1), 1, state.n)) and state.n = 1', true, []],
    ['data.gone + 1', null, ['data.gone']],
  ])('%s', (text, value, missing) => expect(read(text).evaluate(scope)).toEqual({ value, missing }))
})

describe('mistakes', () => {
  test('an undefined value is reported with its column and the nearest name', () => {
    const [found] = said({ rate: 'state.n' }, 'values.rete + 1')
    expect(found).toMatchObject({ pointer: expect.stringContaining('/body/0/props/text/$'), suggestion: 'values.rate' })
    expect(found?.column).toBeGreaterThan(1)
  })
  test('circular values are reported', () => {
    const found = said({ a: 'values.b + 1', b: 'values.a + 1' }, 'values.a')
    expect(found).toHaveLength(1)
    expect(found[0]).toMatchObject({ pointer: '/values/a', message: expect.stringContaining('"a" reads "b" reads "a"') })
  })
  test('a problem of a value is reported once, at its definition', () => {
    const found = said({ two: 'state.m + 1' }, 'values.two * 2 + values.two')
    expect(found).toHaveLength(1)
    expect(found[0]).toMatchObject({ pointer: expect.stringContaining('/values/two'), suggestion: 'state.n' })
  })
  test('a member of a computed value', () => {
    expect(said({ two: 'state.n + 1' }, 'values.two.more')[0]?.message).toMatch(/inside of what is computed/)
  })
  test('values that double each other', () => {
    const doubled = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [`v${i}`, i === 0 ? 'state.n' : `values.v${i - 1} + values.v${i - 1}`]),
    )
    expect(said(doubled, 'values.v59')[0]).toMatchObject({ pointer: '/values/v7', message: expect.stringContaining('at most 256 parts') })
  })
  test('an iteration inside another', () => {
    const found = said({ twos: 'filter(state.rows, .n = 2)' }, 'filter(state.rows, len(values.twos) > .n)')
    expect(found[0]?.message).toMatch(/inside another iteration/)
  })
  test('an outer path without an iteration, and a member without its dot', () => {
    expect(said({}, 'len(filter(state.rows, .n > state.m))')[0]).toMatchObject({ suggestion: 'state.n' })
    expect(project({}, 'len(filter(state.rows, n > 1))').problems[0]).toMatchObject({ suggestion: '.n' })
  })
  test('a value of a row', () => {
    expect(said({ own: 'item.n' }, 'values.own')[0]).toMatchObject({ pointer: expect.stringContaining('/values/own') })
  })
})
