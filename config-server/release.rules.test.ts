import { describe, expect, test } from 'vitest'
import {
  chooseRevisions,
  type DocumentRevision,
  firstDocuments,
  makeRelease,
  manifestJson,
  revisionBefore,
  select,
  sha256,
  textRevisions,
} from '#config-server/release.rules.ts'
import type { Caps } from '#config-server/serving/caps.rules.ts'
import { canonical } from '#language/publish/canonical.ts'
import { covers } from '#language/publish/covers.ts'
import type { DocumentKey, Manifest } from '#language/publish/release.ts'

interface Given {
  uses?: string[]
  areas?: string[]
  widgets?: string[]
  operators?: string[]
  steps?: string[]
  props?: string[]
  fields?: string[]
  format?: number
}
function revision(key: DocumentKey, doc: unknown = { key }, { uses = [], areas = [], ...requires }: Given = {}): DocumentRevision {
  const text = canonical(doc)
  return {
    key,
    canonical: text,
    sha256: sha256(text),
    uses,
    areas,
    requires: { widgets: [], operators: [], steps: [], format: 1, ...requires },
  }
}
const caps = (more: Partial<Caps> = {}): Caps => ({ hash: 'c', format: 1, widgets: ['text@1', 'list@2'], ...more })

describe('covers', () => {
  const rows: [string, Given, Partial<Caps>, boolean][] = [
    ['nothing needed', {}, {}, true],
    ['a widget of the same major', { widgets: ['text@1'] }, {}, true],
    ['a later major', { widgets: ['text@2'] }, {}, false],
    ['an earlier major', { widgets: ['list@1'] }, {}, false],
    ['a widget that is not there', { widgets: ['text@1', 'chart@1'] }, {}, false],
    ['a name that only begins like one', { widgets: ['tex@1'] }, {}, false],
    ['a later language', { format: 2 }, {}, false],
    ['an earlier language', { format: 1 }, { format: 2 }, true],
    ['an operator, build says nothing of operators', { operators: ['now'] }, {}, true],
    ['an operator that the build lacks', { operators: ['now'] }, { operators: ['+'] }, false],
    ['an operator that the build has', { operators: ['+'] }, { operators: ['+', 'now'] }, true],
    ['a prop, build says nothing of props', { props: ['text.tone'] }, {}, true],
    ['a prop that the build lacks', { props: ['text.tone'] }, { props: ['text.text'] }, false],
    ['a prop that the build has', { props: ['text.tone'] }, { props: ['text.text', 'text.tone'] }, true],
    ['nothing said of props by the document', {}, { props: [] }, true],
    ['a type of field that the build lacks', { fields: ['date'] }, { fields: ['code'] }, false],
    ['a step that the build lacks', { steps: ['upload'] }, { steps: ['go'] }, false],
  ]
  test.for(rows)('%s', ([, given, more, wanted]) => {
    expect(covers(caps(more), revision('screen/a', {}, given).requires)).toBe(wanted)
  })
})

describe('chooseRevisions', () => {
  const a1 = revision('screen/a', { v: 1 }, { widgets: ['text@1'] })
  const a2 = revision('screen/a', { v: 2 }, { widgets: ['text@1', 'list@2'] })
  const a3 = revision('screen/a', { v: 3 }, { widgets: ['chart@1'] })
  const b1 = revision('screen/b', { v: 1 }, { widgets: ['chart@1'] })
  const gone = revision('screen/gone')
  const rows: [string, DocumentRevision[][], Caps | undefined, Record<string, string>][] = [
    ['one release', [[a1]], caps(), { 'screen/a': a1.sha256 }],
    ['the newest fits', [[a2], [a1]], caps(), { 'screen/a': a2.sha256 }],
    ['the newest does not fit: the newest that does', [[a3], [a2], [a1]], caps(), { 'screen/a': a2.sha256 }],
    ['an unknown build gets the newest', [[a3], [a2]], undefined, { 'screen/a': a3.sha256 }],
    ['none fits: as it is', [[b1]], caps(), { 'screen/b': b1.sha256 }],
    ['each document by itself', [[a3, b1], [a1]], caps(), { 'screen/a': a1.sha256, 'screen/b': b1.sha256 }],
    ['what was taken out does not come back', [[a1], [a1, gone]], caps(), { 'screen/a': a1.sha256 }],
    ['no release', [], caps(), {}],
  ]
  test.for(rows)('%s', ([, history, build, wanted]) => {
    const releases = history.map((documents, i) => makeRelease(history.length - i, documents, new Map()))
    const chosen = chooseRevisions(releases, build)
    expect(Object.fromEntries([...chosen].map(([key, one]) => [key, one.sha256]))).toEqual(wanted)
  })

  test('gives the very map of the newest release when nothing is held back', () => {
    const release = makeRelease(1, [a2], new Map())
    expect(chooseRevisions([release], caps())).toBe(release.documents)
  })
})

describe('select', () => {
  const a1 = revision('screen/a', { v: 1 }, { widgets: ['text@1'] })
  const a2 = revision('screen/a', { v: 2 }, { widgets: ['chart@1'] })
  const history = [makeRelease(2, [a2], new Map()), makeRelease(1, [a1], new Map())]
  test('the newest has the hash of its release', () => {
    expect(select(history, undefined)).toMatchObject({ hash: history[0]!.hash, unknown: false })
    expect(select(history, caps({ widgets: ['chart@1'] }))!.hash).toBe(history[0]!.hash)
  })
  test('another choice has a hash of its own, the same for the same choice', () => {
    const old = select(history, caps())!
    expect(old.hash).not.toBe(history[0]!.hash)
    expect(select(history, caps({ hash: 'd', widgets: ['text@1'] }))!.hash).toBe(old.hash)
    expect(select(history, caps(), true)!.hash).not.toBe(old.hash)
  })
  test('says that the build is not known', () => {
    expect(JSON.parse(manifestJson(select(history, undefined, true)!, 'en')).unknownBuild).toBe(true)
    expect(JSON.parse(manifestJson(select(history, undefined)!, 'en'))).not.toHaveProperty('unknownBuild')
  })
  test('nothing is selected from nothing', () => {
    expect(select([], undefined)).toBeUndefined()
  })
})

describe('revisionBefore', () => {
  const versions = [1, 2, 3, 4].map((v) => revision('screen/a', { v }, { widgets: [v === 2 ? 'chart@1' : 'text@1'] }))
  const history = versions.map((one, i) => makeRelease(i + 1, [one], new Map())).reverse()
  const [v1, , v3, v4] = versions as [DocumentRevision, DocumentRevision, DocumentRevision, DocumentRevision]
  const rows: [string, string[], Caps | undefined, DocumentRevision | undefined][] = [
    ['the one before the newest', [v4.sha256], caps(), v3],
    ['older than what the client holds, not newer', [v3.sha256], caps(), v1],
    ['past every one that broke, and past what the build cannot show', [v4.sha256, v3.sha256], caps(), v1],
    ['a revision that was never here: the newest', ['f'.repeat(64)], caps(), v4],
    ['none is left', versions.map((one) => one.sha256), undefined, undefined],
    ['of the first: what is newer, for there is nothing older', [v1.sha256], caps(), v4],
  ]
  test.for(rows)('%s', ([, broken, build, wanted]) => {
    expect(revisionBefore(history, 'screen/a', broken, build)?.sha256).toBe(wanted?.sha256)
  })
  test('of a document that never was', () => {
    expect(revisionBefore(history, 'screen/none', [], undefined)).toBeUndefined()
  })
})

describe('makeRelease', () => {
  const a = revision('screen/a')
  const b = revision('screen/b')
  const texts = (word: string) => textRevisions({ en: { home: { title: word } } })
  test('the hash does not depend on order', () => {
    expect(makeRelease(1, [a, b], texts('x')).hash).toBe(makeRelease(2, [b, a], texts('x')).hash)
  })
  test.for([
    ['a document less', makeRelease(1, [a], texts('x'))],
    ['a document changed', makeRelease(1, [a, revision('screen/b', { other: 1 })], texts('x'))],
    ['the same content under another key', makeRelease(1, [a, { ...b, key: 'screen/c' as const }], texts('x'))],
    ['a word changed', makeRelease(1, [a, b], texts('y'))],
  ] as const)('%s is another hash', ([, other]) => {
    expect(other.hash).not.toBe(makeRelease(1, [a, b], texts('x')).hash)
  })
})

describe('textRevisions', () => {
  test('a word that a language lacks is English; a word that only it has stays', () => {
    const made = textRevisions({ en: { home: { a: 'A', b: 'B' }, engine: { c: 'C' } }, fr: { home: { a: 'Â', d: 'D' } } })
    expect(JSON.parse(made.get('fr')!.get('home')!.canonical)).toEqual({ a: 'Â', b: 'B', d: 'D' })
    expect(JSON.parse(made.get('fr')!.get('engine')!.canonical)).toEqual({ c: 'C' })
    expect(JSON.parse(made.get('en')!.get('home')!.canonical)).toEqual({ a: 'A', b: 'B' })
  })
})

describe('the manifest', () => {
  const routes = revision('routes/routes', { routes: { '/': { screen: 'home.home' }, 'pages/x': { screen: 'x' } } })
  const documents = [
    revision('app/app', { id: 'app' }, { areas: ['app'] }),
    routes,
    revision('theme/theme'),
    revision('quick-entries/home', { id: 'home' }, { areas: ['home'] }),
    revision('screen/home.home', { id: 'home.home' }, { uses: ['prompt/leave', 'prompt/buy', 'validation/leave'], areas: ['market'] }),
    revision('screen/x', { id: 'x' }, { areas: ['x'], uses: ['prompt/other'] }),
    revision('prompt/leave', { id: 'leave' }, { areas: ['prompt'] }),
    revision('prompt/buy', { id: 'buy' }),
    revision('prompt/other', { id: 'other' }, { areas: ['other'] }),
    revision('validation/leave', { kind: 'validation', id: 'leave' }),
  ]
  const areas = ['app', 'home', 'market', 'x', 'prompt', 'other', 'engine', 'widget']
  const catalog = { en: Object.fromEntries(areas.map((area) => [area, { word: `${area} "en"` }])), ja: { app: { word: 'アプリ' } } }
  const release = makeRelease(7, documents, textRevisions(catalog))
  const manifest = JSON.parse(manifestJson(select([release], undefined)!, 'ja')) as Manifest

  test('says which release and language it is', () => {
    expect([manifest.release, manifest.hash, manifest.locale]).toEqual([7, release.hash, 'ja'])
  })
  test('names every document and every text area', () => {
    expect(Object.keys(manifest.documents).sort()).toEqual(documents.map((one) => one.key).sort())
    expect(manifest.documents['screen/home.home']).toEqual({
      sha256: documents[4]!.sha256,
      uses: ['prompt/leave', 'prompt/buy', 'validation/leave'],
      areas: ['market'],
    })
    expect(Object.keys(manifest.texts).sort()).toEqual([...areas].sort())
  })
  test('carries what the first screen needs and nothing of the others', () => {
    const keyOf = new Map([
      ...documents.map((one) => [one.sha256, one.key]),
      ...Object.entries(manifest.texts).map(([area, sha]) => [sha, area]),
    ] as [string, string][])
    expect(
      Object.keys(manifest.inline)
        .map((sha) => keyOf.get(sha))
        .sort(),
    ).toEqual(
      [
        'app/app',
        'routes/routes',
        'theme/theme',
        'quick-entries/home',
        'screen/home.home',
        'prompt/leave',
        'prompt/buy',
        'app',
        'home',
        'market',
        'prompt',
        'engine',
        'widget',
      ].sort(),
    )
  })
  test('each inlined text hashes to its address', () => {
    for (const [sha, content] of Object.entries(manifest.inline)) expect(sha256(canonical(content))).toBe(sha)
  })
  test('the words are those of the language, or English', () => {
    expect(manifest.inline[manifest.texts.app!]).toEqual({ word: 'アプリ' })
    expect(manifest.inline[manifest.texts.home!]).toEqual({ word: 'home "en"' })
  })
  test.for([
    ['an alias of nothing', { routes: { 'pages/a': { screen: 'home.home', aliases: ['/'] } } }, true],
    ['no route to it', { routes: { 'pages/a': { screen: 'home.home' } } }, false],
    ['no routes at all', {}, false],
    ['a screen that is not there', { routes: { '/': { screen: 'nowhere' } } }, false],
  ] as const)('home by %s', ([, doc, there]) => {
    const set = new Map([...release.documents, ['routes/routes', revision('routes/routes', doc)] as const])
    expect(firstDocuments(set).some((one) => one.key === 'screen/home.home')).toBe(there)
  })
})
