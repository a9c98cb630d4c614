import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EditProblem, editText, insertItem, moveItem, moveTo, pointerAt, printText, rangeOf, renameMember } from '#language/edit.ts'
import { rewrite } from '#language/rewrite.ts'

const screen = `{
  "kind": "screen", "id": "a",
  "list": [1,  2,
    3],
  "body": [
    {
      "id": "one",
      "widget": "text",
      "props": { "text": "x",  "size": "sm" }
    },
    {
        "id": "two",
        "widget": "page",
        "slots": {
          "body": [
            { "id": "three", "widget": "text" }
          ]
        }
    }
  ]
}
`
const lines = (text: string) => text.split('\n')
const changedLines = (before: string, after: string) => lines(after).filter((line) => !lines(before).includes(line))

describe('an edit leaves everything else as it is written', () => {
  const table: [string, (text: string) => string, string[]][] = [
    ['a member', (text) => editText(text, '/body/0/props/text', 'y'), ['      "props": { "text": "y",  "size": "sm" }']],
    [
      'a member that is new, on its line',
      (text) => editText(text, '/body/0/props/tone', 'up'),
      ['      "props": { "text": "x", "size": "sm", "tone": "up" }'],
    ],
    [
      'a member goes where people write it',
      (text) => editText(text, '/body/1/props/a', 1),
      ['        "props": {', '          "a": 1', '        },'],
    ],
    ['a member that is not there is taken out', (text) => editText(text, '/body/0/props/tone', undefined), []],
    ['the same value', (text) => editText(text, '/list', [1, 2, 3]), []],
    ['an item', (text) => editText(text, '/list/1', 7), ['  "list": [1,  7,']],
    ['an item at the end', (text) => editText(text, '/list/-', 7), ['  "list": [1, 2, 3, 7],']],
    ['an item moves', (text) => moveItem(text, '/list', 0, 2), ['  "list": [2, 3, 1],']],
    ['a node moves with its own writing', (text) => moveItem(text, '/body', 1, 0), []],
    [
      'a list that is made',
      (text) => insertItem(text, '/body/0/slots/body', 0, 'x'),
      ['      "props": { "text": "x",  "size": "sm" },', '      "slots": {', '        "body": ["x"]', '      }'],
    ],
    ['a name', (text) => renameMember(text, '/body/0/props/text', 'label'), ['      "props": { "label": "x", "size": "sm" }']],
  ]
  test.each(table)('%s', (_, edit, changed) => {
    const after = edit(screen)
    expect(changedLines(screen, after)).toEqual(changed)
    expect(JSON.parse(after)).toBeTypeOf('object')
  })

  test('a node that moves to another list keeps its own writing, indented as its new place asks', () => {
    const after = moveTo(screen, '/body/0', '/body/1/slots/body', 1)
    expect(JSON.parse(after).body[0].slots.body[1]).toEqual({ id: 'one', widget: 'text', props: { text: 'x', size: 'sm' } })
    expect(after).toContain('"props": { "text": "x",  "size": "sm" }')
  })
})

describe('what cannot be edited is refused and says why', () => {
  const table: [string, () => string, string][] = [
    ['not JSON', () => editText('{"a": 1', '/a', 2), 'not_json'],
    ['a name twice', () => editText('{"a": 1, "a": 2}', '/a', 2), 'not_json'],
    ['very deep', () => editText('['.repeat(60_000), '/a', 2), 'not_json'],
    ['an item that is not there', () => editText(screen, '/body/7/id', 'x'), 'no_such_place'],
    ['an item before the first', () => editText(screen, '/body/-1', 'x'), 'no_such_place'],
    ['an item behind the end', () => insertItem(screen, '/body', 3, 'x'), 'no_such_place'],
    ['a member of a text', () => editText(screen, '/kind/x', 'x'), 'no_such_place'],
    ['an item of an object', () => moveItem(screen, '/body/0', 0, 1), 'no_such_place'],
    ['into itself', () => moveTo(screen, '/body/1', '/body/1/slots/body', 0), 'no_such_place'],
    ['what every object inherits', () => editText(screen, '/__proto__', 'x'), 'forbidden_name'],
    ['the same deeper', () => editText(screen, '/body/0/constructor/prototype', 'x'), 'forbidden_name'],
    ['a name that is taken', () => renameMember(screen, '/kind', 'id'), 'forbidden_name'],
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

const file = 'schemas/screens/market/market.json'
const real = readFileSync(file, 'utf8')
const value = fc.jsonValue({ maxDepth: 4 }).filter((made) => !JSON.stringify(made).includes('__proto__'))

test('whatever is written over a real document, the text means it', () => {
  fc.assert(
    fc.property(value, fc.nat(), (made, seed) => {
      const pointers = ['', '/body', '/data', '/state', '/body/0/widget', '/enter', '/new~1name', '/body/0/slots/body/-']
      const pointer = pointers[seed % pointers.length] as string
      const after = editText(real, pointer, made)
      expect(rewrite(after, JSON.parse(real))).toBe(real)
    }),
    { numRuns: 80, seed: 7 },
  )
}, 60_000)

test('new parts are written as the formatter of the repository writes them', () => {
  const samples = fc.sample(value, { numRuns: 300, seed: 11 })
  const odd = [
    Array.from({ length: 90 }, (_, i) => i * 997),
    [
      [1, 2],
      [3, [4]],
    ],
    [{ a: [{}] }, 1],
    ['x'.repeat(155)],
    [['y'.repeat(150)], 2],
  ]
  let text = printText(samples)
  for (const [i, sample] of [...odd, ...samples.slice(0, 60)].entries()) text = insertItem(text, '', i * 2, sample)
  for (let i = 0; i < 40; i += 1) text = moveItem(text, '', (i * 37) % 200, (i * 53) % 200)
  const biome = spawnSync('node_modules/.bin/biome', ['format', `--stdin-file-path=${file}`], { input: text, encoding: 'utf8' })
  expect(biome.stdout).toBe(text)
}, 60_000)
