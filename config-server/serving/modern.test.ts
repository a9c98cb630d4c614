import { expect, test } from 'vitest'
import { readCatalog } from '#config-server/catalog.ts'
import { type DocumentRevision, type Release, revisionsOf, select, sha256 } from '#config-server/release.rules.ts'
import { createModern, migrations } from '#config-server/serving/modern.ts'
import { formatNow } from '#language/documents/nodes.ts'
import { canonical } from '#language/publish/canonical.ts'
import { lackingSteps } from '#language/publish/migrate.ts'
import { catalog } from '#language/testdata/catalog.ts'

function revision(doc: object, requires: Partial<DocumentRevision['requires']>): DocumentRevision {
  const text = canonical({ kind: 'screen', id: 'a', ...doc } as never)
  return {
    key: 'screen/a',
    canonical: text,
    sha256: sha256(text),
    uses: [],
    areas: [],
    requires: { widgets: [], operators: [], steps: [], format: 1, ...requires },
  }
}
const renamed = { 1: ({ text, ...props }: Record<string, unknown>) => ({ ...props, title: text }) }
const steps = {
  formats: { 1: ({ broad, ...doc }: Record<string, unknown>) => ({ ...doc, wide: broad === 'yes' }) as never },
  widgets: { list: renamed },
}
const list = revision({ format: 1, body: [{ id: 'l', widget: 'list', props: { text: 'x' } }] }, { widgets: ['list@1'] })

test('a revision of an earlier widget is written for the one of today, and needs it', () => {
  const made = createModern(catalog, steps).of(list)
  expect(JSON.parse(made!.canonical)).toMatchObject({ body: [{ widget: 'list@2', props: { title: 'x' } }] })
  expect(made).toMatchObject({ key: 'screen/a', sha256: sha256(made!.canonical), requires: { widgets: ['list@2'], format: 1 } })
})

test('a revision of an earlier language is written in the one of today', () => {
  const old = revision({ format: 1, broad: 'yes', body: [] }, {})
  const made = createModern(catalog, steps, 2).of(old)
  expect(JSON.parse(made!.canonical)).toEqual({ kind: 'screen', id: 'a', format: 2, wide: true, body: [] })
  expect(made!.requires.format).toBe(2)
})

test('a revision of today, and one that nothing leads on from, stay as they are', () => {
  const modern = createModern(catalog, steps)
  expect(modern.of(revision({ format: 1, body: [{ id: 'l', widget: 'list@2' }] }, { widgets: ['list@2'] }))).toBeUndefined()
  expect(modern.of(revision({ format: 1, body: [{ id: 'g', widget: 'gone' }] }, { widgets: ['gone@1'] }))).toBeUndefined()
  expect(createModern(catalog, { formats: {}, widgets: {} }).of(list)).toBeUndefined()
})

test('each build gets what it can show, and both are served', () => {
  const modern = createModern(catalog, steps).of(list)!
  const release: Release = { release: 1, hash: 'h', documents: new Map([['screen/a', { ...list, modern }]]), texts: new Map() }
  const shown = (widgets: string[]) => select([release], { format: 1, widgets })!.documents.get('screen/a')!.sha256
  expect([shown(['list@1']), shown(['list@2']), shown(['other@1'])]).toEqual([list.sha256, modern.sha256, list.sha256])
  expect(revisionsOf(release).map((one) => one.sha256)).toEqual([list.sha256, modern.sha256])
})

test('a step leads on from every version that this build left behind', async () => {
  const { widgets } = await readCatalog('.')
  const majors = new Map(widgets.map(({ type, major }) => [type, major]))
  expect(lackingSteps({ format: formatNow, majors }, migrations)).toEqual([])
  expect(Object.keys(migrations.widgets).filter((type) => !majors.has(type))).toEqual([])
})
