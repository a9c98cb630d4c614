import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readDocument } from '#console/editor/document/read.ts'
import { entryOf, grouped, inWords, routesByScreen } from '#console/editor/list/entries.rules.ts'
import { parse } from '#language/documents/parse.ts'
import { factsOf } from '#language/documents/walk.ts'

const words = { 'a.title': 'Withdraw', 'a.with': 'Hello {{name}}', 'a.ask': 'Log out?' }
const title = (doc: unknown) => entryOf('schemas/x/y.json', doc, words, {}).title

describe('the name of a document', () => {
  test.for([
    [
      {
        kind: 'screen',
        id: 'fund.withdraw',
        body: [{ id: 'p', widget: 'page', slots: { head: [{ widget: 'nav-bar', props: { title: { $t: 'a.title' } } }] } }],
      },
      'Withdraw',
    ],
    [{ kind: 'screen', id: 'fund.take_out', body: [] }, 'Take out'],
    [{ kind: 'screen', id: 'fund.take_out', body: [{ widget: 'nav-bar', props: { title: { $: 'data.x' } } }] }, 'Take out'],
    [{ kind: 'screen', id: 'fund.take_out', body: [{ widget: 'nav-bar', props: { title: { $t: 'a.with' } } }] }, 'Take out'],
    [{ kind: 'prompt', id: 'logout', title: { $t: 'a.ask' } }, 'Log out?'],
    [{ kind: 'prompt', id: 'logout' }, 'Logout'],
  ] as const)('%j is %s', ([doc, wanted]) => {
    expect(title(doc)).toBe(wanted)
  })
  test('a file that cannot be read goes by its name, under the kind of its folder', () => {
    expect(entryOf('schemas/screens/fund/withdraw.json', undefined, words, {})).toMatchObject({
      title: 'withdraw',
      kind: 'screen',
      broken: true,
    })
    expect(entryOf('schemas/routes.json', 3, words, {})).toMatchObject({ kind: 'routes', broken: true })
  })
})

test.for([
  ['setting.bind_email', 'Bind email'],
  ['setting.payPassword', 'Pay password'],
  ['home', 'Home'],
])('%s reads %s', ([id, wanted]) => {
  expect(inWords(id as string)).toBe(wanted)
})

test.for([
  ['schemas/screens/a.json', { kind: 'scren', id: 'a' }],
  ['schemas/later/a.json', undefined],
] as const)('a document in %s that says %j is of an unknown kind', ([path, doc]) => {
  expect(entryOf(path, doc, words, {}).kind).toBe('unknown')
})

test('groups are kinds in their usual order, then areas, then titles', () => {
  const one = (kind: string, id: string) => entryOf('x', { kind, id }, words, {})
  const groups = grouped([one('prompt', 'b'), one('screen', 'z.b'), one('screen', 'a.c'), one('screen', 'a.b'), one('later', 'x')])
  expect(groups.map(({ kind, areas }) => [kind, areas.map(({ area, entries }) => [area, entries.map(({ id }) => id)])])).toEqual([
    [
      'screen',
      [
        ['a', ['a.b', 'a.c']],
        ['z', ['z.b']],
      ],
    ],
    ['prompt', [['', ['b']]]],
    ['unknown', [['', ['x']]]],
  ])
})

test('addresses of a screen', () => {
  expect(routesByScreen({ routes: { '/': { screen: 'a' }, x: { screen: 'a' }, y: 3 } })).toEqual({ a: ['/', 'x'] })
  expect(routesByScreen(null)).toEqual({})
})

test('forms of the product are found by the widgets of their fields, also by the usual ones, which files leave out', () => {
  const folder = join(import.meta.dirname, '../../../schemas/forms')
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name))
    .map((file) => ({ file, text: readFileSync(file, 'utf8') }))
  for (const { file, text, doc } of parse(files).documents) {
    const used = new Set(factsOf(doc).nodes.map(({ node }) => node.widget))
    expect([file, entryOf(file, readDocument(file, text).value, words, {}).widgets.sort()]).toEqual([file, [...used].sort()])
  }
})
