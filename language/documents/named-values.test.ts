import { describe, expect, test } from 'vitest'
import type { AnyDoc, FormDoc, Logic, PromptDoc, ScreenDoc } from '#language/documents/documents.ts'
import { inline } from '#language/documents/inline.ts'
import { parse } from '#language/documents/parse.ts'
import { prepare } from '#language/documents/prepare.ts'
import { compile, scopeOf } from '#language/expression/expression.ts'
import { compileNamed, namedValues } from '#language/expression/named.ts'
import { lint } from '#language/lint/run.ts'
import { catalog } from '#language/testdata/catalog.ts'
import { documents, filesOf, texts } from '#language/testdata/project.ts'
import { toText } from '#language/text/infix.ts'
import type { PreparedDocument } from '#language/types/catalog.ts'

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
interface Shown {
  values?: Record<string, Logic>
  body: { props: { text: { $: unknown } } }[]
}
/** The sample screen as checks read it, and as it is published. */
function made(values: Record<string, unknown>, shown: string): { checked: Shown; published: Shown } {
  const { documents: read, problems } = project(values, shown)
  expect(problems).toEqual([])
  const source = read.find(({ key }) => key === 'screen/home')?.doc as ScreenDoc
  return {
    checked: inline(source, { fragments: new Map(), forms: new Map(), how: 'expressions' }).doc as unknown as Shown,
    published: prepare(read, catalog).find(({ key }) => key === 'screen/home')?.doc as unknown as Shown,
  }
}
const shownIn = ({ body }: Shown) => body[0]?.props.text.$
/** Findings about the values: check, pointer, column, message. */
function said(values: Record<string, unknown>, shown: string) {
  const { documents: read } = project(values, shown)
  return lint(read, texts(), catalog)
    .filter(({ file, check }) => file === home && ['expressions', 'paths', 'operands', 'fragments', 'values'].includes(check))
    .map(({ pointer, column, message, suggestion }) => ({ pointer, column, message, suggestion }))
}

describe('checks read the expression in place of a value, and the engine computes the same', () => {
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
  ])('%s', (_, values, shown, text) => {
    const { checked, published } = made(values, shown)
    expect(toText(shownIn(checked))).toBe(text)
    const state = { n: 1, rows: [{ id: 'a', n: 2 }], key: 'a' }
    const definitions = compileNamed(published.values)
    const scope = scopeOf({ state, values: namedValues(definitions) })
    const [own, whole] = [compile(shownIn(published), { named: definitions.deps }), compile(shownIn(checked))]
    expect(own.evaluate(scope)).toEqual(whole.evaluate(scope))
    expect([...own.deps].sort()).toEqual([...whole.deps].sort())
    const empty = scopeOf({ state: {}, values: namedValues(definitions) })
    expect(own.evaluate(empty)).toEqual(whole.evaluate(empty))
  })

  test('a published document keeps what is computed and read, once', () => {
    const values = { two: 'state.n + 1', one: 'state.n', four: 'values.two * 2', unread: 'state.n + 5' }
    const { published } = made(values, 'values.four + values.two + values.one')
    expect(published.values).toEqual({ two: { '+': [{ var: 'state.n' }, 1] }, four: { '*': [{ var: 'values.two' }, 2] } })
    expect(toText(shownIn(published))).toBe('values.four + values.two + state.n')
  })

  test('in forms and prompts too', () => {
    const prompt = { kind: 'prompt', id: 'p', format: 1, values: { sum: 'params.a + params.b' }, title: { $: 'values.sum' } }
    const { documents: read } = parse([{ file: 'schemas/prompts/p.json', text: JSON.stringify(prompt) }])
    const [{ doc, computed }] = prepare(read, catalog) as unknown as [PreparedDocument & { doc: PromptDoc }]
    expect(doc).toMatchObject({ title: { $: 'values.sum' }, values: { sum: { '+': [{ var: 'params.a' }, { var: 'params.b' }] } } })
    expect(computed.requires).toMatchObject({ steps: ['values'], operators: ['+', 'var'] })
  })
  test('a document without named values is returned unchanged', () => {
    const { documents: read } = parse(filesOf(documents()))
    const before = JSON.stringify(read.map(({ doc }) => doc))
    prepare(read, catalog)
    expect(JSON.stringify(read.map(({ doc }) => doc))).toBe(before)
  })
})

describe('an engine evaluates a value once for each change of what it reads', () => {
  /** Counts evaluations by the reads of `state`, beyond the one that compares the inputs. */
  function counted(values: Record<string, Logic>) {
    const roots: Record<string, unknown> = { state: { a: 1, b: 2 }, form: { c: 3 } }
    let reads = 0
    const named = namedValues(compileNamed(values))
    const scope = {
      get(root: string) {
        if (root === 'state') reads++
        return root === 'values' ? named : roots[root]
      },
    }
    const ask = (name = 'sum') => {
      reads = 0
      const value = named.outcomeOf(name, scope)?.value
      return { value, evaluated: reads > 1 }
    }
    return { roots, ask }
  }
  test('asked again, and after a change of something else, the outcome is the same object', () => {
    const { roots, ask } = counted({ sum: { '+': [{ var: 'state.a' }, 1] } })
    expect(ask()).toEqual({ value: 2, evaluated: true })
    expect(ask()).toEqual({ value: 2, evaluated: false })
    roots.state = { a: 1, b: 5 }
    expect(ask()).toEqual({ value: 2, evaluated: false })
    roots.state = { a: 4, b: 5 }
    expect(ask()).toEqual({ value: 5, evaluated: true })
  })
  test('a value that reads another follows its inputs', () => {
    const { roots, ask } = counted({ sum: { '+': [{ var: 'values.inner' }, 1] }, inner: { '+': [{ var: 'state.a' }, { var: 'form.c' }] } })
    expect(ask().value).toBe(5)
    roots.form = { c: 4 }
    expect(ask().value).toBe(6)
  })
  test('a list keeps its reference, so that what shows it is not drawn again', () => {
    const named = namedValues(compileNamed({ rows: { filter: [{ var: 'state.rows' }, { '>': [{ var: 'n' }, 1] }] } }))
    const rows = [{ n: 1 }, { n: 2 }]
    const first = named.outcomeOf('rows', scopeOf({ state: { rows, other: 1 } }))?.value
    expect(first).toEqual([{ n: 2 }])
    expect(named.outcomeOf('rows', scopeOf({ state: { rows, other: 2 } }))?.value).toBe(first)
  })
  test('a time that has passed is worded anew, though nothing else has changed', () => {
    let word = 'now'
    const format = { ago: () => word }
    const named = namedValues(compileNamed({ when: { format: ['ago', { var: 'state.at' }] } }))
    const scope = scopeOf({ state: { at: 1 }, format, clock: 5 })
    expect(named.outcomeOf('when', scope)?.value).toBe('now')
    word = 'a minute ago'
    expect(named.outcomeOf('when', scope)?.value).toBe('a minute ago')
  })
  test('a circle in a document of somebody else has no value', () => {
    const named = namedValues(compileNamed({ a: { '+': [{ var: 'values.b' }, 1] }, b: { '+': [{ var: 'values.a' }, 1] } }))
    expect(named.outcomeOf('a', scopeOf({ values: named }))?.missing).toEqual(['values.a'])
  })
})

describe('values of a form in its screen', () => {
  const form = (id: string, values: Record<string, Logic>) => ({ kind: 'form', id, format: 1, values }) as unknown as FormDoc
  const shown = (id: string, path: string) => ({ id, widget: 'text', props: { text: { $: path } } })
  const formNode = (id: string, slots: unknown[]) => ({ id, widget: 'form', props: { form: id }, slots: { foot: slots } })
  const screen = (values: Record<string, Logic>, body: unknown[]) =>
    ({ kind: 'screen', id: 'x', format: 1, values, body }) as unknown as ScreenDoc
  const read = (doc: ScreenDoc, forms: FormDoc[], how: 'expressions' | 'table' = 'expressions') => {
    const made = inline(doc, { fragments: new Map(), forms: new Map(forms.map((one) => [one.id, one])), how })
    const texts: Record<string, unknown> = {}
    const visit = (part: unknown) => {
      if (typeof part !== 'object' || part === null) return
      const { id, props } = part as { id?: string; props?: { text?: { $: unknown } } }
      if (id && props?.text) texts[id] = toText(props.text.$, true)
      for (const inner of Object.values(part)) visit(inner)
    }
    visit((made.doc as ScreenDoc).body)
    return { texts, values: (made.doc as ScreenDoc).values }
  }
  const fee = { '*': [{ var: 'form.amount' }, 2] }

  test('are read in its slots and beside it', () => {
    const doc = screen({}, [formNode('f', [shown('in', 'values.fee')]), shown('out', 'values.fee')])
    expect(read(doc, [form('f', { fee })]).texts).toEqual({ in: 'form.amount * 2', out: 'form.amount * 2' })
  })
  test('come before those of the screen in its slots, and after them elsewhere', () => {
    const doc = screen({ fee: { '+': [{ var: 'state.n' }, 1] } }, [formNode('f', [shown('in', 'values.fee')]), shown('out', 'values.fee')])
    expect(read(doc, [form('f', { fee })]).texts).toEqual({ in: 'form.amount * 2', out: 'state.n + 1' })
  })
  test('of two forms are those of the form in its slots; elsewhere a name must mean the same in both', () => {
    const doc = screen({}, [
      formNode('f', [shown('in-f', 'values.fee')]),
      formNode('g', [shown('in-g', 'values.fee')]),
      shown('out', 'values.fee'),
      shown('same', 'values.same'),
    ])
    const same = { '+': [{ var: 'state.n' }, 3] }
    const forms = [form('f', { fee, same }), form('g', { fee: { '*': [{ var: 'form.amount' }, 3] }, same })]
    expect(read(doc, forms).texts).toEqual({ 'in-f': 'form.amount * 2', 'in-g': 'form.amount * 3', out: 'values.fee', same: 'state.n + 3' })
  })
  test('are published with the screen, under names of their own', () => {
    const doc = screen({ f_fee: { '+': [{ var: 'state.n' }, 1] } }, [
      formNode('f', [shown('in', 'values.fee')]),
      shown('out', 'values.f_fee'),
    ])
    const { texts: made, values } = read(doc, [form('f', { fee, unread: fee })], 'table')
    expect(made).toEqual({ in: 'values.f_fee_', out: 'values.f_fee' })
    expect(values).toEqual({ f_fee_: fee, f_fee: { '+': [{ var: 'state.n' }, 1] } })
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
