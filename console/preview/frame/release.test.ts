import { expect, test } from 'vitest'
import { createRelease, filled } from '#console/preview/frame/release.ts'
import { withoutToken } from '#console/preview/frame/world.ts'
import { asBuild, changeBetween, screensWithFragment } from '#console/preview/sets.ts'
import type { Manifest } from '#language/publish/release.ts'
import type { PreparedDocument } from '#language/types/catalog.ts'
import { createConfig } from '#renderer/config/config.ts'
import { listenTo } from '#renderer/config/config-stream.ts'

const one = (key: string, title: string) =>
  ({
    key,
    doc: { kind: key.split('/')[0], id: key.split('/')[1], title },
    canonical: title,
    computed: { uses: [], areas: ['home'], requires: {} },
  }) as unknown as PreparedDocument
const words = { en: { home: { title: 'Home', more: { all: 'All' } } }, fr: { home: { title: 'Accueil' } } }
const first = { documents: { 'app/app': one('app/app', 'a'), 'screen/x': one('screen/x', '1') }, words }

test('only what is another goes over', () => {
  expect(changeBetween(first, first)).toBeUndefined()
  const after = {
    documents: { 'app/app': first.documents['app/app'], 'screen/y': one('screen/y', '1') },
    words: { ...words, fr: { home: { title: 'Chez nous' } } },
  }
  const change = changeBetween(first, after)
  expect(Object.keys(change?.documents ?? {})).toEqual(['screen/y', 'screen/x'])
  expect(change?.documents['screen/x']).toBeNull()
  expect(change?.words).toEqual({ fr: { home: { title: 'Chez nous' } } })
})

test('an older build gets what the base has of a document that it cannot show', () => {
  const needs = (mark: string, ...widgets: string[]) => {
    const made = one('screen/x', mark)
    return { ...made, computed: { ...made.computed, requires: { widgets, operators: [], steps: [], format: 1 } } }
  }
  const set = (document: PreparedDocument) => ({ documents: { 'screen/x': document }, words: {} })
  const old = { format: 1, widgets: ['text@1'] }
  const [base, chart] = [set(needs('1', 'text@1')), set(needs('2', 'chart@1'))]
  expect(asBuild(chart, base, old).documents['screen/x']).toBe(base.documents['screen/x'])
  expect(asBuild(chart, base, { format: 1, widgets: ['text@1', 'chart@1'] })).toBe(chart)
  expect(asBuild(chart, undefined, old)).toBe(chart)
  expect(asBuild(chart, set(needs('1', 'chart@1')), old)).toBe(chart)
})

test('screens with a fragment are found, through other fragments, too', () => {
  const files = {
    'schemas/screens/a.json': '{"kind":"screen","id":"a","body":[{"use":"outer"}]}',
    'schemas/screens/b.json': '{"kind":"screen","id":"b","body":[{"use": "inner.x"}]}',
    'schemas/screens/c.json': '{"kind":"screen","id":"c","body":[{"use":"innerAx"}]}',
    'schemas/fragments/outer.json': '{"kind":"fragment","id":"outer","body":[{"use":"inner.x"}]}',
    'locales/en/a.json': '{"use":"inner.x"}',
  }
  expect(screensWithFragment(files, 'inner.x')).toEqual(['a', 'b'])
})

test('a word that a language lacks is the base language’s, branch by branch', () => {
  expect(filled(words.fr.home, words.en.home)).toEqual({ title: 'Accueil', more: { all: 'All' } })
  expect(filled(undefined, words.en.home)).toEqual(words.en.home)
})

test('the client takes every change for a release, and nothing else', async () => {
  const release = createRelease()
  release.put({ version: 1, ...changeBetween(undefined, first)! })
  const config = createConfig({
    baseUrl: '/config',
    fetch: release.fetch,
    eventSource: release.eventSource,
    listen: listenTo,
    caps: '',
    segment: () => '',
  })
  await config.load('fr')
  expect(await config.fetchDocument('screen/x')).toMatchObject({ title: '1' })
  expect(await config.fetchTexts('home')).toEqual({ title: 'Accueil', more: { all: 'All' } })
  await expect(config.fetchDocument('screen/none')).rejects.toMatchObject({ name: 'not_found' })

  const changed = new Promise<string[]>((done) => config.watch((_manifest: Manifest, changed, areas) => done([...changed, ...areas])))
  const after = {
    documents: { ...first.documents, 'screen/x': one('screen/x', '2') },
    words: { ...words, en: { home: { title: 'Start' } } },
  }
  release.put({ version: 2, ...changeBetween(first, after)! })
  // French is filled from English, so its area changes too.
  expect(await changed).toEqual(['screen/x', 'home'])
  expect(config.document('screen/x')).toMatchObject({ title: '2' })
  expect(config.texts('home')).toEqual({ title: 'Accueil' })
})

test('a change before the client listens is not missed', async () => {
  const release = createRelease()
  release.put({ version: 1, ...changeBetween(undefined, first)! })
  let listen = () => {}
  const config = createConfig({
    baseUrl: '/config',
    fetch: release.fetch,
    eventSource: release.eventSource,
    listen: (hears) => {
      listen = () => void listenTo(hears)
      return () => {}
    },
    caps: '',
    segment: () => '',
  })
  await config.load('en')
  await config.fetchDocument('screen/x')
  const changed = new Promise<string[]>((done) => config.watch((_manifest: Manifest, changed) => done([...changed])))
  const after = { ...first, documents: { ...first.documents, 'screen/x': one('screen/x', '2') } }
  release.put({ version: 2, ...changeBetween(first, after)! })
  listen()
  expect(await changed).toEqual(['screen/x'])
})

test.each([
  ['{"action":"checkToken","token":"preview","v":2}', '{"action":"checkToken","v":2}'],
  ['{"action":"ping"}', '{"action":"ping"}'],
  ['not JSON', 'not JSON'],
])('no token goes out over the socket: %s', (text, sent) => {
  expect(withoutToken(text)).toBe(sent)
})

test('what was replaced can still be fetched by the manifest that named it', async () => {
  const release = createRelease()
  const change = (title: string, version: number) => {
    const { key, doc } = one('screen/x', title)
    release.put({ version, documents: { [key]: { doc, uses: [], areas: [] } }, words: {} })
  }
  change('1', 1)
  const manifest = (await (await release.fetch('/config/manifest', {})).json()) as Manifest
  change('2', 2)
  const body = async (sha256: string | undefined) => (await release.fetch(`/config/documents/${sha256}.json`, {})).json()
  expect(await body(manifest.documents['screen/x']?.sha256)).toMatchObject({ title: '1' })
})
