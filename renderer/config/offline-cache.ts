import { isObject } from '#language/documents/json.ts'
import { canonical } from '#language/publish/canonical.ts'
import type { DocumentEntry, DocumentKey, Manifest } from '#language/publish/release.ts'

/**
 * The last good set of this device: a manifest, the text of everything that it names, and of each document the revision that was here before.
 * It lies in IndexedDB: as text in localStorage it would take a quarter of what a browser gives, next to the customer's settings.
 */
export interface CachedSet {
  /** Its `inline` is empty. */
  manifest: Manifest
  /** sha256 → canonical JSON. */
  bodies: Record<string, string>
  before: Record<DocumentKey, DocumentEntry>
}

/** One record that outlives the page. Both may reject; a store that never answers is given up. */
export interface CacheStore {
  get(): Promise<unknown>
  put(record: unknown): Promise<void>
}

const answerMs = 1_000
const inTime = <T>(work: Promise<T>): Promise<T> =>
  Promise.race([work, new Promise<T>((_, fail) => setTimeout(() => fail(new Error('the store does not answer')), answerMs))])
const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((yes, no) => {
    request.onsuccess = () => yes(request.result)
    request.onerror = () => no(request.error)
  })

/** @param factory undefined where the browser has none */
export function openCacheStore(factory: IDBFactory | undefined): CacheStore {
  async function store(mode: IDBTransactionMode): Promise<IDBObjectStore> {
    if (!factory) throw new Error('no IndexedDB')
    const opening = factory.open('tessera', 1)
    opening.onupgradeneeded = () => void opening.result.createObjectStore('sets')
    const database = await done(opening)
    // Another tab may want to change or delete it.
    database.onversionchange = () => database.close()
    const transaction = database.transaction('sets', mode)
    transaction.oncomplete = transaction.onabort = () => database.close()
    return transaction.objectStore('sets')
  }
  return {
    get: () => inTime(store('readonly').then((sets) => done(sets.get('last')))),
    put: (record) => inTime(store('readwrite').then(async (sets) => void (await done(sets.put(record, 'last'))))),
  }
}

/** Hash of a text, where the page may compute one: on https and on this machine. */
async function hashOf(text: string): Promise<string | undefined> {
  if (!globalThis.crypto?.subtle) return undefined
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * The cached set without whatever is damaged.
 * @returns undefined when there is none, or nothing of it can be used
 * @throws what the store throws: what it holds is not known then
 */
export async function readCached(from: CacheStore): Promise<CachedSet | undefined> {
  const record = await from.get()
  if (!isObject(record) || !isObject(record.manifest) || !isObject(record.bodies) || !isObject(record.manifest.documents)) return undefined
  const bodies: Record<string, string> = {}
  await Promise.all(
    Object.entries(record.bodies).map(async ([sha256, text]) => {
      if (typeof text === 'string' && [undefined, sha256].includes(await hashOf(text))) bodies[sha256] = text
    }),
  )
  return {
    manifest: record.manifest as unknown as Manifest,
    bodies,
    before: isObject(record.before) ? (record.before as CachedSet['before']) : {},
  }
}

/** Bodies of a cached set, read; what is no JSON is left out. */
export function bodiesOf(set: CachedSet, shas: Iterable<string> = Object.keys(set.bodies)): Record<string, unknown> {
  const bodies: Record<string, unknown> = {}
  for (const sha256 of shas) {
    try {
      if (set.bodies[sha256] !== undefined) bodies[sha256] = JSON.parse(set.bodies[sha256])
    } catch {
      // Damaged where no hash could be computed.
    }
  }
  return bodies
}

/** Returns the set to store now that `manifest` is shown. A document that breaks here stays what it was. */
export function nextCached(
  manifest: Manifest,
  bodyOf: { document: (key: DocumentKey) => unknown; texts: (area: string) => unknown },
  suspect: (sha256: string) => boolean,
  last: CachedSet | undefined,
): CachedSet {
  const next: CachedSet = { manifest: { ...manifest, inline: {}, documents: {} }, bodies: {}, before: {} }
  const take = (sha256: string, body: unknown) => {
    if (body !== undefined) next.bodies[sha256] = canonical(body)
    else if (last?.bodies[sha256] !== undefined) next.bodies[sha256] = last.bodies[sha256]
  }
  for (const [key, entry] of Object.entries(manifest.documents) as [DocumentKey, DocumentEntry][]) {
    const old = last?.manifest.documents[key]
    const stays = old && old.sha256 !== entry.sha256 && suspect(entry.sha256)
    next.manifest.documents[key] = stays ? old : entry
    take((stays ? old : entry).sha256, stays ? undefined : bodyOf.document(key))
    const before = old && !stays && old.sha256 !== entry.sha256 ? old : last?.before[key]
    if (!before) continue
    next.before[key] = before
    take(before.sha256, undefined)
  }
  for (const [area, sha256] of Object.entries(manifest.texts)) take(sha256, bodyOf.texts(area))
  return next
}

/**
 * Returns the set to store of the release that is shown. Manifest and bodies are of one moment: a body that a later release has put in the
 * place of another would be kept under the hash of the one before.
 * @param last what was kept so far
 * @returns undefined when nothing of a server is shown, or another release came meanwhile: that one is kept in its turn
 * @throws what `last` throws: what is kept stays as it is
 */
export async function cachedSetOf(
  shown: { current(): Manifest | undefined; document(key: DocumentKey): unknown; texts(area: string): unknown },
  suspect: (sha256: string) => boolean,
  last: Promise<CachedSet | undefined>,
): Promise<CachedSet | undefined> {
  const manifest = shown.current()
  const before = await last
  if (!manifest || manifest.release === 0 || shown.current() !== manifest) return undefined
  return nextCached(manifest, shown, suspect, before)
}
