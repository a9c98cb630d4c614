import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { changesOf, diffSets, type Files } from '#language/edit/diff.ts'
import { editText, insertItem, moveTo, printText, renameMember } from '#language/edit/edit.ts'
import { thingsOf } from '#language/edit/parts.ts'
import type { Change } from '#language/publish/publishing.ts'
import { catalog } from '#language/testdata/catalog.ts'
import { changed, idsIn } from '#language/testdata/changed.ts'
import { documents, filesOf, texts } from '#language/testdata/project.ts'
import type { Catalog } from '#language/types/catalog.ts'

const seeds = fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: 6 })

const files = (): Record<string, string> => ({
  ...Object.fromEntries(filesOf(documents()).map(({ file, text }) => [file, text])),
  ...Object.fromEntries(
    Object.entries(texts()).flatMap(([language, areas]) =>
      Object.entries(areas).map(([area, keys]) => [`locales/${language}/${area}.json`, printText(keys)]),
    ),
  ),
})
const home = 'schemas/screens/home.json'
const list = 'schemas/screens/orders/list.json'
const routes = 'schemas/routes.json'
const tabs = 'schemas/quick-entries/tabs.json'
const english = 'locales/en/orders.json'
const button = '/body/0/slots/body/0'

type Row = [name: string, file: string, edit: (text: string) => string, changes: Partial<Change>[], screens: string[]]
const table: Row[] = [
  [
    'a prop',
    home,
    (t) => editText(t, `${button}/props/icon`, 'x'),
    [{ kind: 'changed', member: 'props.icon', after: 'x', pointer: `${button}/props/icon` }],
    ['home'],
  ],
  ['a new member', home, (t) => editText(t, `${button}/critical`, true), [{ kind: 'changed', member: 'critical', after: true }], ['home']],
  [
    'a new node',
    home,
    (t) => insertItem(t, '/body/0/slots/body', 0, { id: 'n', widget: 'button' }),
    [{ kind: 'added', node: 'n', member: '', pointer: button, after: { id: 'n', widget: 'button' } }],
    ['home'],
  ],
  [
    'a removed node',
    list,
    (t) => editText(t, '/body/0/slots/body/0', undefined),
    [{ kind: 'removed', member: '', pointer: '/body/0/slots/body/0' }],
    ['orders.list'],
  ],
  [
    'a node replaced under another id',
    home,
    (t) => editText(t, `${button}/id`, 'other'),
    [{ kind: 'renamed', node: 'other', after: 'other' }],
    ['home'],
  ],
  ['a source', home, (t) => editText(t, '/data/site/keepMs', 5), [{ kind: 'changed', node: 'site', member: 'keepMs', after: 5 }], ['home']],
  [
    'a route',
    routes,
    (t) => editText(t, '/routes/pages~1orders/kyc', 1),
    [{ kind: 'changed', node: 'pages/orders', member: 'kyc', after: 1 }],
    ['orders.list'],
  ],
  [
    'a renamed route',
    routes,
    (t) => renameMember(t, '/routes/pages~1orders', 'pages/list'),
    [{ kind: 'renamed', node: 'pages/list', before: 'pages/orders', after: 'pages/list' }],
    ['orders.list'],
  ],
  ['white space', home, (t) => JSON.stringify(JSON.parse(t)), [], ['home']],
  [
    'a colour',
    'schemas/theme.json',
    (t) => editText(t, '/dark/quiet', '#ffffff'),
    [{ kind: 'changed', node: 'dark.quiet', member: '', after: '#ffffff' }],
    ['home', 'orders.detail', 'orders.list', 'orders.place'],
  ],
  [
    'a text',
    english,
    (t) => editText(t, '/cancel', 'Stop'),
    [{ kind: 'changed', document: 'texts/en/orders', node: 'cancel', member: '', after: 'Stop' }],
    ['orders.detail'],
  ],
  ['a new key', english, (t) => editText(t, '/new', 'New'), [{ kind: 'added', node: 'new', member: '', after: 'New' }], []],
  [
    'a removed key',
    english,
    (t) => editText(t, '/hello', undefined),
    [{ kind: 'removed', node: 'hello', member: '' }],
    ['home', 'orders.place'],
  ],
]

describe('differences, and the screens that show them', () => {
  test.each(table)('%s', (_, file, edit, changes, screens) => {
    const before = files()
    const after = { ...before, [file]: edit(before[file] as string) }
    const diff = diffSets(before, after, catalog)
    expect(diff).toMatchObject([{ path: file, state: 'changed', changes, screens }])
    expect(diff[0]?.changes).toHaveLength(changes.length)
    expect(diffSets(before, before, catalog)).toEqual([])
  })

  const shownBy: [string, string, string[]][] = [
    ['a fragment', 'schemas/fragments/cancel-button.json', ['orders.detail']],
    ['a prompt of a fragment or screen', 'schemas/prompts/cancel.json', ['orders.detail']],
    ['entries of the tab bar: every screen with a tab', tabs, ['home']],
  ]
  test.each(shownBy)('%s', (_, file, screens) => {
    const before = files()
    const at = file.includes('fragments') ? '/body/0/critical' : file === tabs ? '/entries/0/show' : '/danger'
    expect(diffSets(before, { ...before, [file]: editText(before[file] as string, at, true) }, catalog)[0]?.screens).toEqual(screens)
  })

  test('added and removed files, and an unreadable one', () => {
    const before = files()
    const { [list]: gone, ...rest } = before
    const after: Files = { ...rest, 'schemas/screens/new.json': gone as string, [home]: '{"kind": ' }
    const diff = diffSets(before, after, catalog)
    expect(diff.map(({ path, state, changes }) => [path, state, changes.map(({ kind }) => kind)])).toEqual([
      [home, 'changed', ['changed']],
      ['schemas/screens/new.json', 'added', ['added']],
      [list, 'removed', ['removed']],
    ])
    expect(diff[0]?.changes[0]?.after).toBe('{"kind": ')
  })

  test('entries in another order: only the moved one', () => {
    const before = readFileSync('schemas/quick-entries/home.json', 'utf8')
    const path = 'schemas/quick-entries/home.json'
    const none: Catalog = { widgets: [], functions: [], topics: [], calls: [], icons: [], symbols: [] }
    const after = moveTo(before, '/entries/0', '/entries', 3)
    const node = (JSON.parse(before) as { entries: { id: string }[] }).entries[0]?.id
    expect(diffSets({ [path]: before }, { [path]: after }, none)[0]?.changes).toMatchObject([
      { kind: 'moved', node, pointer: '/entries/3', before: { in: '/entries', at: 0 }, after: { in: '/entries', at: 3 } },
    ])
  })

  test('a node that moves into another one and changes is one node', () => {
    const before = readFileSync('schemas/screens/common/login.json', 'utf8')
    const path = 'schemas/screens/common/login.json'
    const after = moveTo(editText(before, '/body/1/critical', false), '/body/1', '/body/2/slots/body', 1)
    expect(diffSets({ [path]: before }, { [path]: after }, catalog)[0]?.changes).toMatchObject([
      { kind: 'moved', node: 'form' },
      { kind: 'changed', node: 'form', member: 'critical', before: true, after: false },
    ])
  })
})

test('exactly the random additions and removals are reported', () => {
  const base = JSON.parse(readFileSync('schemas/screens/setting/setting.json', 'utf8'))
  const from = thingsOf('a', base)
  fc.assert(
    fc.property(seeds, (numbers) => {
      const now = changed(base, numbers, 'm')
      const changes = changesOf(from, thingsOf('a', now))
      const [old, fresh] = [new Set(idsIn(base)), new Set(idsIn(now))]
      const ofKind = (kind: Change['kind']) => changes.filter((change) => change.kind === kind)
      const inside = (values: unknown[]) => new Set(values.flatMap((value) => idsIn([value])))
      const renamed = ofKind('renamed')
      for (const id of fresh)
        if (!old.has(id))
          expect(inside(ofKind('added').map(({ after }) => after)).has(id) || renamed.some(({ after }) => after === id)).toBe(true)
      for (const id of old)
        if (!fresh.has(id))
          expect(inside(ofKind('removed').map(({ before }) => before)).has(id) || renamed.some(({ before }) => before === id)).toBe(true)
      for (const { node } of ofKind('added')) expect(old.has(node as string)).toBe(false)
      for (const { node } of ofKind('removed')) expect(fresh.has(node as string)).toBe(false)
      if (JSON.stringify(now) !== JSON.stringify(base)) expect(changes.length).toBeGreaterThan(0)
    }),
    { numRuns: 100, seed: 9 },
  )
})
