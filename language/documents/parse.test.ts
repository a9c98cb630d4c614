import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { limits } from '#language/documents/limits.ts'
import { metaSchemas } from '#language/documents/meta.ts'
import { parse } from '#language/documents/parse.ts'
import { canonical } from '#language/publish/canonical.ts'
import { documents, filesOf } from '#language/testdata/project.ts'
import { lineOf, outline } from '#language/text/position.ts'

const screen = (node: unknown) => ({ kind: 'screen', id: 'a.b', format: 1, body: [node] })
const problemsOf = (doc: unknown) => parse([{ file: 'x.json', text: JSON.stringify(doc, null, 1) }]).problems

describe('refused with a place and a suggestion', () => {
  const table: [string, unknown, string, RegExp, string | undefined][] = [
    ['no kind', {}, '/kind', /requires a kind/, undefined],
    ['a misspelt kind', { kind: 'scren' }, '/kind', /no kind "scren"/, 'screen'],
    ['a misspelt member', screen({ id: 'a', widget: 'x', prosp: {} }), '/body/0/prosp', /not a member/, 'props'],
    ['a misspelt required member', screen({ id: 'a', widgt: 'x' }), '/body/0/widgt', /not a member/, 'widget'],
    [
      'a missing member',
      screen({ id: 'a', widget: 'x', repeat: { each: { $: 'data.a' } } }),
      '/body/0/repeat/key',
      /"key" is missing/,
      undefined,
    ],
    [
      'a list where only plain values may stand',
      { kind: 'app', id: 'app', format: 1, constants: { pageSize: [] } },
      '/constants/pageSize',
      /^a value of another form is expected here$/,
      undefined,
    ],
    [
      'a name of a form that is not allowed',
      { kind: 'screen', id: 'a.b', format: 1, lists: { 'A B': { key: 'a', of: { a: { type: 'string' } } } }, body: [] },
      '/lists/A B',
      /^"A B" has a form that no name here may have$/,
      undefined,
    ],
    [
      'an expression that cannot be parsed yet',
      screen({ id: 'a', widget: 'x', show: { $unfinished: 'form.a <=' } }),
      '/body/0/show',
      /cannot be parsed: form\.a <=/,
      undefined,
    ],
    [
      'a value that is still missing',
      screen({ id: 'a', widget: 'x', props: { b: { $unfinished: '' } } }),
      '/body/0/props/b',
      /expression is empty/,
      undefined,
    ],
    ['an unknown step', screen({ id: 'a', widget: 'x', on: { press: [{ gone: 'x' }] } }), '/body/0/on/press/0', /one of go, back/, 'go'],
    [
      'a misspelt member of a step',
      screen({ id: 'a', widget: 'x', on: { press: [{ go: 'x', parms: {} }] } }),
      '/body/0/on/press/0/parms',
      /not a member/,
      'params',
    ],
    [
      'a word that is not in the list',
      screen({ id: 'a', widget: 'x', on: { press: [{ toast: 'x', tone: 'eror' }] } }),
      '/body/0/on/press/0/tone',
      /not one of/,
      'error',
    ],
    ['a script', screen({ id: 'a', widget: '<script>' }), '/body/0/widget', /type or type@major/, undefined],
    [
      'a place that may not be set',
      screen({ id: 'a', widget: 'x', on: { press: [{ set: { 'session.kyc': 2 } }] } }),
      '/body/0/on/press/0/set/session.kyc',
      /./,
      undefined,
    ],
    ['a later version', { ...screen({ id: 'a', widget: 'x' }), format: 3 }, '/format', /not one of 1/, undefined],
    ['style', screen({ id: 'a', widget: 'x', style: { color: 'red' } }), '/body/0/style', /not a member/, undefined],
    ['react internals', screen({ $$typeof: 'x', id: 'a', widget: 'x' }), '/body/0/$$typeof', /not a member/, undefined],
  ]
  test.each(table)('%s', (_, doc, pointer, message, suggestion) => {
    const found = problemsOf(doc).find((problem) => problem.pointer === pointer)
    expect(found?.message).toMatch(message)
    expect(found?.suggestion).toBe(suggestion)
    expect(found?.line).toBeGreaterThan(0)
  })
})

describe('refused before JSON.parse', () => {
  const table: [string, string, RegExp, number][] = [
    ['not JSON', '{\n "kind": "screen",\n "id" 1\n}', /not JSON/, 3],
    ['a missing end', '{\n "kind": "screen"', /not JSON/, 2],
    ['a name twice', '{\n "kind": "screen",\n "kind": "prompt"\n}', /"kind" occurs twice/, 3],
    ['a prototype', '{\n "kind": "screen",\n "__proto__": {}\n}', /"__proto__" may not be a name/, 3],
    ['a prototype behind an escape', '{"\\u005f_proto__": {}}', /may not be a name/, 1],
    ['a constructor deep inside', '{"a": [{"constructor": 1}]}', /may not be a name/, 1],
    ['thirty-three levels', '['.repeat(33) + ']'.repeat(33), /deeper than 32/, 1],
    ['fifty thousand levels', '{"a":'.repeat(50_000), /deeper than 32/, 1],
    ['a megabyte', `"${'x'.repeat(limits.documentBytesMax)}"`, /at most 1048576 bytes/, 1],
    ['a megabyte of wide characters', `"${'水'.repeat(400_000)}"`, /at most 1048576 bytes/, 1],
    ['null', 'null', /requires a kind/, 1],
  ]
  test.each(table)('%s', (_, text, message, line) => {
    const { documents: read, problems } = parse([{ file: 'x.json', text }])
    expect(read).toEqual([])
    expect(problems[0]?.message).toMatch(message)
    expect(problems[0]?.line).toBe(line)
  })
})

test('a duplicate document is reported with the other file', () => {
  const text = JSON.stringify(screen({ id: 'a', widget: 'x' }))
  const { documents: read, problems } = parse([
    { file: 'a.json', text },
    { file: 'b.json', text },
  ])
  expect(read).toHaveLength(1)
  expect(problems).toMatchObject([{ file: 'b.json', message: 'screen/a.b is already defined in a.json' }])
})

test('the schema of each kind, read by ajv, accepts and refuses what the parser does', () => {
  const ajv = new Ajv2020({ strict: false, ownProperties: true })
  const validators = Object.fromEntries(Object.entries(metaSchemas()).map(([kind, schema]) => [kind, ajv.compile(schema)]))
  for (const { file, text } of filesOf(documents())) {
    const doc = JSON.parse(text) as { kind: string }
    const validate = validators[doc.kind]
    expect([file, validate?.(doc), validate?.errors]).toEqual([file, true, null])
    expect(validate?.({ ...doc, stranger: 1 })).toBe(false)
    expect(problemsOf({ ...doc, stranger: 1 })).toHaveLength(1)
  }
  for (const node of [
    { id: 'a' },
    { id: '9', widget: 'x' },
    { id: 'a', widget: 'x', on: { press: [{ gone: 1 }] } },
    { use: 'x', props: {} },
    null,
  ]) {
    expect(validators.screen?.(screen(node))).toBe(false)
    expect(problemsOf(screen(node)).length).toBeGreaterThan(0)
  }
})

describe('config documents of the corpus', () => {
  const shapes = [
    { screens: { home: { type: 'script' } } },
    {},
    null,
    { version: -1, screens: {} },
    { screens: { a: { $ref: '#/screens/b' } } },
    { screens: { home: { type: 'Input', pattern: '^(a+)+$' } } },
  ]
  test.each(shapes.map((shape) => [JSON.stringify(shape)]))('%s is refused', (text) => {
    expect(parse([{ file: 'x.json', text }]).documents).toEqual([])
  })
})

describe('positions', () => {
  const text = readFileSync(new URL('../testdata/positions.json', import.meta.url), 'utf8')
  const lines = text.split('\n')
  const table: [string, string][] = [
    ['/name', '"name"'],
    ['/list/0', '"first"'],
    ['/list/2', '[1'],
    ['/list/2/1', '2'],
    ['/a~1b/c~0d', '"c~d"'],
    ['/text', 'braces'],
    ['/after', '"after"'],
  ]
  test.each(table)('%s', (pointer, seen) => {
    const { lines: found, problem } = outline(text)
    expect(problem).toBeUndefined()
    expect(lines[lineOf(found, pointer) - 1]).toContain(seen)
  })
  test('a missing part has the line of the part around it', () => {
    const { lines: found } = outline(text)
    expect(lineOf(found, '/list/2/9/deep')).toBe(lineOf(found, '/list/2'))
    expect(lineOf(found, '/nothing')).toBe(1)
  })
})

test('canonical JSON does not depend on the order of members', () => {
  expect(canonical({ b: [1, { d: null, c: 'é"' }], a: undefined, A: true })).toBe('{"A":true,"b":[1,{"c":"é\\"","d":null}]}')
  expect(canonical({ x: 1, y: 2 })).toBe(canonical({ y: 2, x: 1 }))
  expect(canonical([undefined, 1])).toBe('[null,1]')
})
