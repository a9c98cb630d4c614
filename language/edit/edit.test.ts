import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  EditProblem,
  editText,
  insertItem,
  moveTo,
  placeIn,
  pointerAt,
  printText,
  rangeOf,
  renameMember,
  textAt,
} from '#language/edit/edit.ts'
import { lengthened, withShortValues } from '#language/text/shorthand.ts'

const screen = `{
  "kind": "screen", "id": "a",
  "body": [
    { "id": "one", "widget": "text", "props": { "text": "x", "size": "sm" } },
    { "id": "two", "widget": "page", "slots": { "body": [{ "id": "three", "widget": "text" }] } }
  ],
  "list": [1, 2, 3]
}
`
const lines = (text: string) => text.split('\n')
const changedLines = (before: string, after: string) => lines(after).filter((line) => !lines(before).includes(line))
const one = '    { "id": "one", "widget": "text", "props": { "text": "x", "size": "sm"'

describe('an edit changes only the lines of its place', () => {
  const table: [string, (text: string) => string, string[]][] = [
    ['a member', (text) => editText(text, '/body/0/props/text', 'y'), [`${one.replace('"x"', '"y"')} } },`]],
    ['a new member, on its line', (text) => editText(text, '/body/0/props/tone', 'up'), [`${one}, "tone": "up" } },`]],
    [
      'a member is inserted in the printed order',
      (text) => editText(text, '/body/1/props/a', 1),
      ['    { "id": "two", "widget": "page", "props": { "a": 1 }, "slots": { "body": [{ "id": "three", "widget": "text" }] } }'],
    ],
    ['a missing member is removed', (text) => editText(text, '/body/0/props/tone', undefined), []],
    ['the same value', (text) => editText(text, '/list', [1, 2, 3]), []],
    ['an item', (text) => editText(text, '/list/1', 7), ['  "list": [1, 7, 3]']],
    ['an item at the end', (text) => editText(text, '/list/-', 7), ['  "list": [1, 2, 3, 7]']],
    ['an item moves', (text) => moveTo(text, '/list/0', '/list', 2), ['  "list": [2, 3, 1]']],
    ['a list that is created', (text) => insertItem(text, '/body/0/slots/body', 0, 'x'), [`${one} }, "slots": { "body": ["x"] } },`]],
    ['a name', (text) => renameMember(text, '/body/0/props/text', 'label'), [`${one.replace('"text": "x"', '"label": "x"')} } },`]],
  ]
  test.each(table)('%s', (_, edit, changed) => {
    const after = edit(screen)
    expect(changedLines(screen, after)).toEqual(changed)
    expect(JSON.parse(after)).toBeTypeOf('object')
  })

  test('a node moves to another list', () => {
    const after = moveTo(screen, '/body/0', '/body/1/slots/body', 1)
    expect(JSON.parse(after).body[0].slots.body[1]).toEqual({ id: 'one', widget: 'text', props: { text: 'x', size: 'sm' } })
  })

  test('other formatting becomes the printed form; without a change it stays', () => {
    const written = screen.replaceAll(', ', ',  ')
    expect(editText(written, '/list/1', 2)).toBe(written)
    expect(editText(editText(written, '/list/1', 7), '/list/1', 2)).toBe(screen)
  })
})

describe('impossible edits are refused with a reason', () => {
  const table: [string, () => string, string][] = [
    ['not JSON', () => editText('{"a": 1', '/a', 2), 'not_json'],
    ['a name twice', () => editText('{"a": 1, "a": 2}', '/a', 2), 'not_json'],
    ['very deep', () => editText('['.repeat(60_000), '/a', 2), 'not_json'],
    ['a missing item', () => editText(screen, '/body/7/id', 'x'), 'no_such_place'],
    ['an item before the first', () => editText(screen, '/body/-1', 'x'), 'no_such_place'],
    ['an item after the end', () => insertItem(screen, '/body', 3, 'x'), 'no_such_place'],
    ['a member of a text', () => editText(screen, '/kind/x', 'x'), 'no_such_place'],
    ['an item of an object', () => moveTo(screen, '/body/0/0', '/body/0', 1), 'no_such_place'],
    ['into itself', () => moveTo(screen, '/body/1', '/body/1/slots/body', 0), 'no_such_place'],
    ['a name that every object inherits', () => editText(screen, '/__proto__', 'x'), 'forbidden_name'],
    ['the same deeper', () => editText(screen, '/body/0/constructor/prototype', 'x'), 'forbidden_name'],
    ['a duplicate name', () => renameMember(screen, '/kind', 'id'), 'forbidden_name'],
  ]
  test.each(table)('%s', (_, edit, code) => {
    expect(edit).toThrow(EditProblem)
    try {
      edit()
    } catch (problem) {
      expect((problem as EditProblem).code).toBe(code)
    }
    expect(({} as { x?: string }).x).toBeUndefined()
  })
})

test('offsets of a place, and the place of an offset', () => {
  const range = rangeOf(screen, '/body/1/slots/body/0/widget')
  expect(range && screen.slice(range.from, range.to)).toBe('"text"')
  expect(range?.name && screen.slice(range.name.from, range.name.to)).toBe('"widget"')
  expect(pointerAt(screen, range?.from ?? 0)).toBe('/body/1/slots/body/0/widget')
  expect(rangeOf(screen, '/body/9')).toBeUndefined()
  expect(pointerAt('{"a"', 2)).toBe('')
})

test('the expression and the key of a short value', () => {
  const text = '{ "kind": "screen", "a": "= data.x", "b": "@home.hot", "c": "@home" }'
  expect(['/a/$', '/a', '/b/$t', '/c'].map((at) => textAt(text, at))).toEqual(['data.x', 'data.x', 'home.hot', '@home'])
  expect([placeIn(text, '/a/$', 5), placeIn(text, '/b/$t', 0)]).toEqual([
    { line: 1, column: text.indexOf('x"') + 1 },
    { line: 1, column: text.indexOf('home.hot') + 1 },
  ])
  expect(JSON.parse(editText(text, '/b/$t', 'home.cold')).b).toBe('@home.cold')
  expect(JSON.parse(editText(text, '/b/count', { $: 'data.x' })).b).toEqual({ $t: 'home.hot', count: '= data.x' })
})

const file = 'schemas/screens/market/market.json'
const real = readFileSync(file, 'utf8')
const name = fc.oneof(
  fc.string(),
  fc.constantFrom('id', 'name', 'use', 'if', 'test', 'label', 'title', 'show', 'props', '$', '$t', 'about'),
)
const value = fc
  .letrec<{ part: unknown }>((tie) => ({
    part: fc.oneof(
      { depthSize: 'medium', maxDepth: 4 },
      fc.jsonValue({ maxDepth: 1 }),
      fc.constantFrom('@a.b', '= data.x', '@', '= ', 'x'.repeat(90)),
      fc.array(tie('part'), { maxLength: 4 }),
      fc.dictionary(name, tie('part'), { maxKeys: 5 }),
    ),
  }))
  .part.filter((made) => !JSON.stringify(made).includes('__proto__'))

test('an edit of a real document has the intended effect', () => {
  fc.assert(
    fc.property(value, fc.nat(), (made, seed) => {
      const pointers = ['', '/body', '/data', '/state', '/body/0/widget', '/enter', '/new~1name', '/body/0/slots/body/-']
      const pointer = pointers[seed % pointers.length] as string
      const after = editText(real, pointer, made)
      expect(editText(after, '', lengthened(JSON.parse(real)))).toBe(real)
    }),
    { numRuns: 80, seed: 7 },
  )
})

describe('the printed form', () => {
  const document = (more: object) => ({ body: [{ widget: 'text', id: 'a', show: 'x' }], id: 'a', kind: 'screen', ...more })
  const long = 'x'.repeat(120)
  const table: [string, unknown, string][] = [
    [
      'members are in the order of their kind, and what fits is on one line',
      document({ $schema: 's' }),
      '{\n  "$schema": "s", "kind": "screen", "id": "a",\n  "body": [{ "id": "a", "widget": "text", "show": "x" }]\n}\n',
    ],
    [
      'a part that does not fit has one line per member',
      document({ body: [], state: { a: long, b: 1, c: [{}, []] } }),
      `{\n  "kind": "screen", "id": "a",\n  "state": {\n    "a": "${long}",\n    "b": 1,\n    "c": [{}, []]\n  },\n  "body": []\n}\n`,
    ],
    [
      'identifying members, and single parts of objects and lists, follow the bracket',
      document({
        body: [{ id: 'b', widget: 'row', props: { title: { $t: `a.${long}` }, to: { $: 'x' }, more: long } }],
        foot: [{ use: 'n', as: long, with: { text: long } }],
      }),
      `{\n  "kind": "screen", "id": "a",\n  "foot": [{ "use": "n",\n    "as": "${long}",\n    "with": {\n      "text": "${long}"\n    }\n  }],\n  "body": [{ "id": "b", "widget": "row",\n    "props": {\n      "title": "@a.${long}",\n      "to": "= x",\n      "more": "${long}"\n    }\n  }]\n}\n`,
    ],
    [
      'values have their short form, and literals that look like one are expressions',
      document({
        body: [],
        state: { a: { $: 'data.x' }, b: { $t: 'a.b' }, c: { $t: 'a.b', n: { $: '1' } }, d: '@a.b', e: "= it's", f: '@b' },
      }),
      `{\n  "kind": "screen", "id": "a",\n  "state": { "a": "= data.x", "b": "@a.b", "c": { "$t": "a.b", "n": "= 1" }, "d": "= '@a.b'", "e": "= \\"= it's\\"", "f": "@b" },\n  "body": []\n}\n`,
    ],
    ['a text area has a line for each key', { b: 'x', a: { one: 'y' } }, '{\n  "b": "x",\n  "a": {\n    "one": "y"\n  }\n}\n'],
    ['nothing', {}, '{}\n'],
  ]
  test.each(table)('%s', (_, value, text) => {
    expect(printText(value)).toBe(text)
    expect(printText(lengthened(JSON.parse(text)))).toBe(text)
  })

  test('no line is longer than 140 characters where it can be broken', () => {
    for (const sample of fc.sample(value, { numRuns: 200, seed: 11 })) {
      const text = printText(document({ state: { sample } }))
      expect(JSON.parse(text).state, text).toEqual(withShortValues(JSON.parse(JSON.stringify({ sample }))))
      for (const line of lines(text)) if (line.length > 140) expect(line.trim()).not.toMatch(/^(?:"[^"]*": )?[[{].*[\]}],?$/)
    }
  })
})
