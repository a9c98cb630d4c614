import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { canonical } from '#language/publish/canonical.ts'
import type { DocumentKey, Manifest } from '#language/publish/release.ts'
import { bodiesOf, type CachedSet, cachedSetOf, nextCached, openCacheStore, readCached } from '#renderer/config/offline-cache.ts'

const sha = (body: unknown) => createHash('sha256').update(canonical(body)).digest('hex')
const doc = (version: number) => ({ kind: 'screen', id: 'a', version })
const words = { title: 'A' }
const manifest = (version: number): Manifest => ({
  release: version,
  hash: `h${version}`,
  locale: 'en',
  documents: { 'screen/a': { sha256: sha(doc(version)), uses: [], areas: ['x'] } },
  texts: { x: sha(words) },
  inline: { [sha(words)]: words },
})
const held = (version: number) => ({ document: (_key: DocumentKey) => doc(version), texts: () => words })
const nobody = () => false
const first = nextCached(manifest(1), held(1), nobody, undefined)
const shelfOf = (record: unknown) => ({ get: async () => structuredClone(record), put: async () => undefined })

describe('what is kept', () => {
  test('is everything that the manifest names, and can be read again', async () => {
    const read = await readCached(shelfOf(first))
    expect(read).toEqual(first)
    expect(bodiesOf(read as CachedSet)).toEqual({ [sha(doc(1))]: doc(1), [sha(words)]: words })
    expect(read?.manifest.inline).toEqual({})
  })
  test('remembers of each document the one before', () => {
    const second = nextCached(manifest(2), held(2), nobody, first)
    expect(second.before['screen/a']?.sha256).toBe(sha(doc(1)))
    expect(Object.keys(second.bodies).sort()).toEqual([sha(doc(1)), sha(doc(2)), sha(words)].sort())
    const third = nextCached(manifest(3), held(3), nobody, second)
    expect(third.before['screen/a']?.sha256).toBe(sha(doc(2)))
    expect(third.bodies).not.toHaveProperty(sha(doc(1)))
    expect(nextCached(manifest(3), held(3), nobody, third).before['screen/a']?.sha256).toBe(sha(doc(2)))
  })
  test('a document that breaks here stays what it was', () => {
    const bad = sha(doc(2))
    const second = nextCached(manifest(2), held(2), (one) => one === bad, first)
    expect(second.manifest.documents['screen/a']?.sha256).toBe(sha(doc(1)))
    expect(second.bodies[sha(doc(1))]).toBe(canonical(doc(1)))
    expect(second.bodies).not.toHaveProperty(bad)
  })
  test('what is not here is taken from the set before, or missing', () => {
    const nothing = { document: () => undefined, texts: () => undefined }
    expect(nextCached(manifest(1), nothing, nobody, first).bodies).toEqual(first.bodies)
    expect(nextCached(manifest(1), nothing, nobody, undefined).bodies).toEqual({})
  })
  test('a release that comes while the store answers is kept in its turn, and lends no body to the one before', async () => {
    let version = 1
    const shown = {
      current: () => manifests[version],
      document: () => doc(version),
      texts: () => words,
    }
    const manifests = [manifest(0), manifest(1), manifest(2)]
    let answer = (_set: CachedSet | undefined) => {}
    const last = new Promise<CachedSet | undefined>((done) => (answer = done))
    const kept = cachedSetOf(shown, nobody, last)
    version = 2
    answer(undefined)
    expect(await kept).toBeUndefined()
    expect(await cachedSetOf(shown, nobody, last)).toEqual(nextCached(manifest(2), held(2), nobody, undefined))
    version = 0
    expect(await cachedSetOf(shown, nobody, last)).toBeUndefined()
  })
})

describe('a copy that is damaged', () => {
  const body = sha(doc(1))
  const rows: [string, unknown, string[] | undefined][] = [
    ['nothing', undefined, undefined],
    ['a text', 'garbage', undefined],
    ['without bodies', { manifest: first.manifest }, undefined],
    ['without documents', { ...first, manifest: { ...first.manifest, documents: null } }, undefined],
    ['a body cut short', { ...first, bodies: { ...first.bodies, [body]: first.bodies[body]?.slice(0, 10) } }, [sha(words)]],
    ['a body of another', { ...first, bodies: { ...first.bodies, [body]: canonical(doc(9)) } }, [sha(words)]],
    ['a body that is none', { ...first, bodies: { ...first.bodies, [body]: 7 } }, [sha(words)]],
  ]
  test.for(rows)('%s', async ([, record, bodies]) => {
    expect((await readCached(shelfOf(record))) && Object.keys((await readCached(shelfOf(record)))!.bodies)).toEqual(bodies)
  })
  test('a store that does not answer is not an empty one: what it holds is not replaced', async () => {
    const blocked = readCached({ get: () => Promise.reject(new Error('blocked')), put: async () => undefined })
    const shown = { current: () => manifest(1), ...held(1) }
    await expect(cachedSetOf(shown, nobody, blocked)).rejects.toThrow('blocked')
  })
  test('a store that throws, or that there is none of, says so', async () => {
    await expect(openCacheStore(undefined).put({})).rejects.toThrow('no IndexedDB')
    const blocked = {
      open: () => {
        throw new DOMException('no', 'SecurityError')
      },
    } as unknown as IDBFactory
    await expect(openCacheStore(blocked).get()).rejects.toThrow('no')
  })
})
