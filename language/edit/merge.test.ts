import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { editText, insertItem, moveTo, printText, renameMember } from '#language/edit/edit.ts'
import { merge } from '#language/edit/merge.ts'
import { canonical } from '#language/publish/canonical.ts'
import { changed, idsIn } from '#language/testdata/changed.ts'
import { lengthened } from '#language/text/shorthand.ts'

const seeds = fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: 6 })

const path = 'schemas/screens/a.json'
const screen = printText({
  kind: 'screen',
  id: 'a',
  format: 1,
  data: { site: { call: 'site.info', args: { a: 1 } } },
  body: [
    { id: 'bar', widget: 'nav-bar', props: { title: 'x', back: true } },
    {
      id: 'page',
      widget: 'page',
      slots: {
        body: [
          { id: 'one', widget: 'text' },
          { id: 'two', widget: 'text' },
          { id: 'three', widget: 'text' },
        ],
      },
    },
  ],
})
const words = 'locales/en/home.json'
type Edit = (text: string) => string
const both = (mine: Edit, theirs: Edit, base = screen, file = path) =>
  merge({ [file]: base }, { [file]: mine(base) }, { [file]: theirs(base) })
const body = '/body/1/slots/body'
const ids = (text: string | undefined) => JSON.parse(text as string).body[1].slots.body.map(({ id }: { id: string }) => id)

describe('changes of both sides are combined', () => {
  const table: [string, Edit, Edit, Edit][] = [
    [
      'different members of a node',
      (t) => editText(t, '/body/0/props/title', 'y'),
      (t) => editText(t, '/body/0/props/back', false),
      (t) => editText(editText(t, '/body/0/props/title', 'y'), '/body/0/props/back', false),
    ],
    [
      'the same change',
      (t) => editText(t, '/body/0/show', false),
      (t) => editText(t, '/body/0/show', false),
      (t) => editText(t, '/body/0/show', false),
    ],
    [
      'a changed member and a move',
      (t) => editText(t, `${body}/0/show`, true),
      (t) => moveTo(t, `${body}/0`, '/body', 0),
      (t) => moveTo(editText(t, `${body}/0/show`, true), `${body}/0`, '/body', 0),
    ],
    [
      'an addition on each side, mine first',
      (t) => insertItem(t, body, 1, { id: 'm', widget: 'text' }),
      (t) => insertItem(t, body, 1, { id: 't', widget: 'text' }),
      (t) => insertItem(insertItem(t, body, 1, { id: 't', widget: 'text' }), body, 1, { id: 'm', widget: 'text' }),
    ],
    [
      'a removal, and a change beside it',
      (t) => editText(t, `${body}/1`, undefined),
      (t) => editText(t, `${body}/2/show`, true),
      (t) => editText(editText(t, `${body}/2/show`, true), `${body}/1`, undefined),
    ],
    [
      'a removed wrapper whose child was moved',
      (t) => editText(moveTo(t, `${body}/0`, '/body', 0), '/body/2', undefined),
      (t) => editText(t, `${body}/0/show`, true),
      (t) => editText(moveTo(editText(t, `${body}/0/show`, true), `${body}/0`, '/body', 0), '/body/2', undefined),
    ],
    [
      'arguments of a source',
      (t) => editText(t, '/data/site/args/a', 2),
      (t) => editText(t, '/data/site/args/b', 3),
      (t) => editText(editText(t, '/data/site/args/a', 2), '/data/site/args/b', 3),
    ],
    [
      'a record that both sides create',
      (t) => editText(t, '/state/a', 1),
      (t) => editText(t, '/state/b', 2),
      (t) => editText(editText(t, '/state/a', 1), '/state/b', 2),
    ],
    [
      'two moves',
      (t) => moveTo(t, `${body}/0`, body, 1),
      (t) => moveTo(t, `${body}/2`, '/body', 0),
      (t) => moveTo(moveTo(t, `${body}/2`, '/body', 0), '/body/2/slots/body/0', '/body/2/slots/body', 1),
    ],
  ]
  test.each(table)('%s', (_, mine, theirs, expected) => {
    const { files, conflicts } = both(mine, theirs)
    // The wrapper has nothing that the other side changed, so there is no conflict.
    expect(conflicts).toEqual([])
    expect(files[path]).toBe(expected(screen))
  })

  test('texts by key, each after its predecessor', () => {
    const base = readFileSync(words, 'utf8')
    const { files, conflicts } = both(
      (t) => editText(t, '/search', 'Find'),
      (t) => editText(editText(t, '/settings', 'Options'), '/new', 'New'),
      base,
      words,
    )
    expect(conflicts).toEqual([])
    expect(JSON.parse(files[words] as string)).toMatchObject({ search: 'Find', settings: 'Options', new: 'New' })
  })

  test('orders that do not contradict each other', () => {
    const list = (t: string) => ids(t).join()
    expect(
      list(
        both(
          (t) => moveTo(t, `${body}/0`, body, 2),
          (t) => moveTo(t, `${body}/2`, body, 0),
        ).files[path] as string,
      ),
    ).toBe('three,two,one')
  })
})

describe('what is asked', () => {
  const table: [string, Edit, Edit, Record<string, unknown>][] = [
    [
      'the same member',
      (t) => editText(t, '/body/0/props/title', 'm'),
      (t) => editText(t, '/body/0/props/title', 't'),
      { node: 'bar', member: 'props.title', pointer: '/body/0/props/title', base: 'x', mine: 'm', theirs: 't' },
    ],
    [
      'removed here, changed there',
      (t) => editText(t, `${body}/1`, undefined),
      (t) => editText(t, `${body}/1/show`, true),
      { node: 'two', member: '' },
    ],
    [
      'changed here, removed there',
      (t) => editText(t, `${body}/1/show`, true),
      (t) => editText(t, '/body/1', undefined),
      { node: 'page', member: '' },
    ],
    [
      'removed here, filled there',
      (t) => editText(t, '/body/1', undefined),
      (t) => insertItem(t, body, 0, { id: 'new', widget: 'text' }),
      { node: 'page', member: '' },
    ],
    [
      'two places',
      (t) => moveTo(t, `${body}/0`, '/body', 0),
      (t) => moveTo(t, `${body}/0`, '/body/0/slots/head', 0),
      { node: 'one', member: 'place', mine: { in: '/body', at: 0 } },
    ],
    [
      'contradicting orders',
      (t) => moveTo(t, `${body}/0`, body, 1),
      (t) => moveTo(t, `${body}/1`, body, 2),
      { node: 'page', member: 'slots.body.order', base: ['one', 'two', 'three'], mine: ['two', 'one', 'three'] },
    ],
    [
      'added differently on both sides',
      (t) => insertItem(t, body, 0, { id: 'new', widget: 'text' }),
      (t) => insertItem(t, body, 0, { id: 'new', widget: 'icon' }),
      { node: 'new', member: 'widget' },
    ],
    [
      'into each other',
      (t) => moveTo(editText(t, '/body/0/slots', { body: [] }), '/body/0', body, 0),
      (t) => moveTo(editText(t, '/body/0/slots', { body: [] }), '/body/1', '/body/0/slots/body', 0),
      { member: 'place' },
    ],
    ['a source', (t) => editText(t, '/data/site', undefined), (t) => editText(t, '/data/site/args/a', 7), { node: 'site', member: '' }],
    [
      'one stand-in',
      (t) => editText(t, '/body/0/fallback', { id: 'm', widget: 'text' }),
      (t) => editText(t, '/body/0/fallback', { id: 't', widget: 'text' }),
      { node: 'bar', member: 'fallback' },
    ],
  ]
  test.each(table)('%s', (_, mine, theirs, conflict) => {
    const sides = [{ [path]: screen }, { [path]: mine(screen) }, { [path]: theirs(screen) }] as const
    const { files, conflicts } = merge(...sides)
    expect(conflicts).toHaveLength(1)
    expect(conflicts[0]).toMatchObject({ path, document: 'screen/a', ...conflict })
    const id = conflicts[0]?.id as string
    const [asMine, asTheirs] = [merge(...sides, { [id]: 'mine' }), merge(...sides, { [id]: 'theirs' })]
    expect([asMine.conflicts, asTheirs.conflicts]).toEqual([[], []])
    expect(asMine.files).toEqual(files)
    expect(asTheirs.files).not.toEqual(files)
    expect(canonical(JSON.parse(asTheirs.files[path] as string))).toBe(canonical(JSON.parse(theirs(screen))))
  })

  test('a whole file: removed here, changed there', () => {
    const sides = [{ [path]: screen }, {}, { [path]: editText(screen, '/wide', true) }] as const
    const { files, conflicts } = merge(...sides)
    expect([files, conflicts.length, conflicts[0]?.pointer]).toEqual([{}, 1, ''])
    expect(merge(...sides, { [conflicts[0]?.id as string]: 'theirs' }).files).toEqual(sides[2])
  })

  test('an unreadable file', () => {
    const { files, conflicts } = both(
      () => '{"kind": ',
      (t) => editText(t, '/wide', true),
    )
    expect([files[path], conflicts.length, conflicts[0]?.mine]).toEqual(['{"kind": ', 1, '{"kind": '])
  })

  test('a route renamed here and changed there', () => {
    const base = printText({ kind: 'routes', id: 'routes', format: 1, routes: { '/': { screen: 'a' }, b: { screen: 'b' } } })
    const { conflicts } = both(
      (t) => renameMember(t, '/routes/b', 'c'),
      (t) => editText(t, '/routes/b/auth', true),
      base,
      'schemas/routes.json',
    )
    expect(conflicts).toMatchObject([{ node: 'b', member: '', pointer: '/routes/b' }])
  })
})

const files = [
  'schemas/screens/market/market.json',
  'schemas/forms/common/register.json',
  'schemas/quick-entries/home.json',
  'schemas/app.json',
]
const real = files.map((file) => [file, lengthened(JSON.parse(readFileSync(file, 'utf8')))] as const)
/** Compares lists by content, because rules of order depend on the side. */
const unordered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(unordered).map(canonical).sort()
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, unordered(part)]))
    : value
}

describe.each(real)('%s', (file, base) => {
  const text = printText(base)
  const set = (value: unknown) => ({ [file]: printText(value) })
  /** The same with other white space: another text with the same meaning. */
  const loose = { [file]: JSON.stringify(base) }

  test('a side without changes has no effect', () => {
    fc.assert(
      fc.property(seeds, (numbers) => {
        const m = set(changed(base, numbers, 'm'))
        if (m[file] === text) return
        expect(merge({ [file]: text }, m, loose)).toEqual({ files: m, conflicts: [] })
        expect(merge(loose, m, { [file]: text })).toEqual({ files: m, conflicts: [] })
        expect(merge({ [file]: text }, m, { [file]: JSON.stringify(JSON.parse(m[file] as string)) })).toEqual({ files: m, conflicts: [] })
        const taken = merge({ [file]: text }, loose, m)
        expect(taken.conflicts).toEqual([])
        expect(canonical(JSON.parse(taken.files[file] as string))).toBe(canonical(JSON.parse(m[file] as string)))
        expect(merge({ [file]: text }, { [file]: text }, m).files).toEqual(m)
      }),
      { numRuns: 15, seed: 21 },
    )
  })

  test('nothing is lost or doubled, and swapping the sides gives the same result', () => {
    let clean = 0
    fc.assert(
      fc.property(seeds, seeds, (a, b) => {
        const [m, t] = [changed(base, a, 'm'), changed(base, b, 't')]
        const there = merge({ [file]: text }, set(m), set(t))
        const back = merge({ [file]: text }, set(t), set(m))
        expect(there.conflicts.length === 0).toBe(back.conflicts.length === 0)
        const result = JSON.parse(there.files[file] as string) as unknown
        const found = idsIn(result)
        expect(new Set(found).size).toBe(found.length)
        if (there.conflicts.length > 0) {
          const choose = (side: 'mine' | 'theirs') =>
            merge({ [file]: text }, set(m), set(t), Object.fromEntries(there.conflicts.map(({ id }) => [id, side])))
          expect(choose('mine')).toEqual({ files: there.files, conflicts: [] })
          expect(choose('theirs').conflicts.filter(({ id }) => there.conflicts.some((one) => one.id === id))).toEqual([])
          return
        }
        clean += 1
        expect(canonical(unordered(JSON.parse(back.files[file] as string)))).toBe(canonical(unordered(result)))
        const [inBase, inMine, inTheirs] = [base, m, t].map((one) => new Set(idsIn(one)))
        const expected = [...new Set([...(inMine ?? []), ...(inTheirs ?? [])])].filter(
          (id) => !inBase?.has(id) || (inMine?.has(id) && inTheirs?.has(id)),
        )
        expect([...found].sort()).toEqual(expected.sort())
      }),
      { numRuns: 60, seed: 33 },
    )
    expect(clean).toBeGreaterThan(10)
  })
})
