import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from '#language/documents/parse.ts'
import { prepare } from '#language/documents/prepare.ts'
import { merge } from '#language/edit/merge.ts'
import { formatOf, inFormatNow } from '#language/publish/format-migrations.ts'
import { lackingSteps, type Migrations, migrateDocument, NoWay } from '#language/publish/migrate.ts'
import { catalog } from '#language/testdata/catalog.ts'
import { formatted, migrated } from '#language/text/expression-texts.ts'

const migrations: Migrations = {
  formats: {
    1: ({ heading, ...doc }) => ({ ...doc, title: heading as string }),
    2: (doc) => ({ ...doc, wide: true }),
  },
  widgets: {
    button: { 1: ({ text, ...props }) => ({ ...props, label: text }), 2: (props) => ({ ...props, tone: 'primary' }) },
    row: { 2: (props) => ({ ...props, arrow: true }) },
  },
}
const majors = new Map([
  ['button', 3],
  ['row', 3],
  ['page', 1],
])
const screen = (body: unknown[], more: object = {}) => ({ kind: 'screen', id: 'a', format: 3, body, ...more })

describe('a document is migrated to the current widgets and language', () => {
  const rows: [string, object, object, [string, number][]?][] = [
    [
      'over several major versions',
      screen([{ id: 'b', widget: 'button@1', props: { text: 'x' } }]),
      screen([{ id: 'b', widget: 'button@3', props: { label: 'x', tone: 'primary' } }]),
    ],
    [
      'over the last one',
      screen([{ id: 'b', widget: 'button@2', props: { label: 'x' } }]),
      screen([{ id: 'b', widget: 'button@3', props: { label: 'x', tone: 'primary' } }]),
    ],
    [
      'a node without a version, from the version for which it was published',
      screen([{ id: 'b', widget: 'button', props: { text: 'x' } }]),
      screen([{ id: 'b', widget: 'button@3', props: { label: 'x', tone: 'primary' } }]),
      [['button', 1]],
    ],
    [
      'in slots, states and fallbacks',
      screen([
        {
          id: 'p',
          widget: 'page',
          slots: { body: [{ id: 'b', widget: 'button@2', fallback: { id: 'c', widget: 'button@2' } }] },
          states: { empty: { id: 'r', widget: 'row@2' } },
        },
      ]),
      screen([
        {
          id: 'p',
          widget: 'page',
          slots: {
            body: [
              {
                id: 'b',
                widget: 'button@3',
                fallback: { id: 'c', widget: 'button@3', props: { tone: 'primary' } },
                props: { tone: 'primary' },
              },
            ],
          },
          states: { empty: { id: 'r', widget: 'row@3', props: { arrow: true } } },
        },
      ]),
    ],
    [
      'a field of a form',
      { kind: 'form', id: 'f', format: 3, fields: [{ name: 'a', type: 'string', widget: 'button@2', min: '1' }] },
      {
        kind: 'form',
        id: 'f',
        format: 3,
        fields: [{ name: 'a', type: 'string', widget: 'button@3', min: '1', props: { tone: 'primary' } }],
      },
    ],
    ['over several formats', screen([], { format: 1, heading: 'Title' }), screen([], { format: 3, title: 'Title', wide: true })],
  ]
  test.each(rows)('%s', (_, before, after, written = []) => {
    const source = structuredClone(before)
    expect(migrateDocument(before as never, { format: 3, majors }, migrations, new Map(written))).toEqual(after)
    expect(before).toEqual(source)
  })

  test('a current document is the same object', () => {
    const doc = screen([
      { id: 'b', widget: 'button@3', props: { label: 'x' } },
      { id: 'r', widget: 'row' },
    ]) as never
    expect(migrateDocument(doc, { format: 3, majors }, migrations, new Map())).toBe(doc)
  })

  test.each([
    ['a widget', screen([{ id: 'r', widget: 'row@1' }]), /from row@1 to row@2/],
    ['a format', screen([], { format: 0 }), /from format 0 to format 1/],
  ])('a missing migration of %s is an error', (_, doc, said) => {
    const work = () => migrateDocument(doc as never, { format: 3, majors }, migrations, new Map())
    expect(work).toThrow(NoWay)
    expect(work).toThrow(said)
  })

  test('missing migrations are named', () => {
    expect(lackingSteps({ format: 4, majors }, migrations)).toEqual(['format 3', 'row@1'])
    expect(lackingSteps({ format: 3, majors: new Map([['button', 3]]) }, migrations)).toEqual([])
  })
})

describe('files of format 1, as they were released, are read and rewritten', () => {
  const folder = 'language/testdata/format-1'
  const files = readdirSync(folder).map((name) => ({ file: name, text: readFileSync(`${folder}/${name}`, 'utf8') }))
  const released = (file: string, text: string) => {
    const { documents, problems } = parse([{ file, text }])
    expect(problems).toEqual([])
    return prepare(documents, catalog).map(({ canonical }) => canonical)
  }

  test.each(files)('$file: the migrated file releases the same document', ({ file, text }) => {
    const now = migrated(text)
    expect([formatOf(text), formatOf(now)]).toEqual([1, 2])
    expect(now.length).toBeLessThanOrEqual(text.length)
    expect([formatted(now), migrated(now)]).toEqual([now, now])
    expect(released(file, now)).toEqual(released(file, text))
  })

  test('a release keeps the version of the language of releases', () => {
    const [doc] = files.flatMap(({ file, text }) => released(file, text)).map((text) => JSON.parse(text) as { format: number })
    expect(doc?.format).toBe(1)
  })

  test('files of one format merge with those of the other without a conflict', () => {
    const [path, text] = ['schemas/screens/setting/wallet.json', readFileSync(`${folder}/screens.setting.wallet.json`, 'utf8')]
    const mine = text.replace('"columns": 1', '"columns": 2')
    expect(mine).not.toBe(text)
    const { conflicts, files: merged } = merge({ [path]: text }, { [path]: mine }, { [path]: migrated(text) })
    expect(conflicts).toEqual([])
    expect(merged[path]).toBe(migrated(mine))
  })

  test.each<[string, unknown]>([
    ['of a later version', { kind: 'screen', id: 'a', format: 3 }],
    ['of no version', { kind: 'screen', id: 'a' }],
    ['that is none', [1]],
  ])('a document %s stays', (_, json) => {
    expect(inFormatNow(json)).toBe(json)
  })
})
