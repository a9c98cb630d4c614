import { readTexts } from '#config-server/publishing/drafts/text.store.ts'
import type { ReleaseRow } from '#config-server/publishing/publishing.migration.ts'
import type { Live } from '#config-server/publishing/publishing.ts'
import { type DocumentRevision, makeRelease, type Release, type Revision } from '#config-server/release.rules.ts'
import type { Modern } from '#config-server/serving/modern.ts'
import type { ReleaseInfo, ReleaseStop, Rollout } from '#language/publish/publishing.ts'
import type { DocumentKey } from '#language/publish/release.ts'
import { type Database, type Db, type Tx, write } from '#server-kit/db/db.ts'

/** The pointer as it stands in the database. `imported`: the sources of the build's files as they were last taken in; `checkedBy`: hash of them and of what checked them. */
export interface Pointer {
  stable: number | null
  candidate: number | null
  rollout: Rollout | null
  version: number
  changedAt: number
  imported: Record<string, string> | null
  checkedBy: string | null
}
/** A release without what it consists of. */
export type ReleaseHead = Omit<ReleaseRow, 'sources' | 'documents' | 'texts' | 'rollout' | 'stop'> & {
  rollout: Rollout | null
  stop: ReleaseStop | null
}
export type NewRelease = Omit<ReleaseHead, 'number' | 'at' | 'served' | 'document_count' | 'stopped' | 'stop' | 'emergency' | 'live_at'> & {
  emergency?: boolean
  sources: Record<string, string>
}

export interface ReleaseStore {
  pointer(): Promise<Pointer>
  pointerIn(tx: Tx): Promise<Pointer>
  /** Version alone; asked each second. */
  version(): Promise<number>
  /** Everything that moves the pointer waits here for each other. */
  lock(tx: Tx): Promise<Pointer>
  move(
    tx: Tx,
    pointer: Pointer,
    to: { stable: number | null; candidate: number | null; rollout: Rollout | null },
    now: number,
  ): Promise<void>
  imported(tx: Tx, sources: Readonly<Record<string, string>>, checkedBy: string | null): Promise<void>
  nextNumber(tx: Tx): Promise<number>
  insert(tx: Tx, row: NewRelease, release: Release, at: number): Promise<void>
  mark(tx: Tx, number: number, change: { stopped?: boolean; stop?: ReleaseStop; rollout?: Rollout; live_at?: number }): Promise<void>
  heads(atMost: number): Promise<ReleaseHead[]>
  head(number: number): Promise<ReleaseHead | undefined>
  headIn(tx: Tx, number: number): Promise<ReleaseHead | undefined>
  sources(from: Db | Tx, number: number): Promise<Record<string, string> | undefined>
  /**
   * Releases as they were put together, in the order of `numbers`; one that is not whole any more is undefined.
   * @param known texts that need not be read
   */
  load(numbers: readonly number[], known: ReadonlyMap<string, Revision>): Promise<(Release | undefined)[]>
}

const heads = [
  'number',
  'hash',
  'served',
  'kind',
  'from_number',
  'draft',
  'author',
  'approver',
  'publisher',
  'note',
  'at',
  'flows',
] as const
const headColumns = [...heads, 'document_count', 'stopped', 'stop', 'emergency', 'rollout', 'live_at'] as const
const headOf = (row: Omit<ReleaseRow, 'sources' | 'documents' | 'texts'>): ReleaseHead => ({
  ...row,
  rollout: row.rollout as Rollout | null,
  stop: row.stop as ReleaseStop | null,
})

export function infoOf(head: ReleaseHead, pointer: Pick<Pointer, 'stable' | 'candidate' | 'rollout'>): ReleaseInfo {
  const { number, hash, kind, from_number: from, draft, author, approver, publisher, note, at, flows, stopped } = head
  const live = number === pointer.stable
  const candidate = number === pointer.candidate
  return {
    number,
    hash,
    kind,
    from,
    draft,
    author,
    approver,
    publisher,
    note,
    at,
    flows,
    state: live ? 'live' : candidate ? 'candidate' : stopped ? 'stopped' : 'past',
    rollout: candidate ? pointer.rollout : head.rollout,
    documents: head.document_count,
    liveAt: head.live_at,
    ...(stopped && { stop: head.stop }),
    ...(head.emergency && { emergency: true }),
  }
}

/** Returns the releases that are live. */
export function liveOf(pointer: Pointer, all: readonly ReleaseHead[]): Live | undefined {
  const info = (number: number | null) => {
    const head = number === null ? undefined : all.find((one) => one.number === number)
    return head ? infoOf(head, pointer) : null
  }
  const stable = info(pointer.stable)
  return stable ? { stable, candidate: info(pointer.candidate), version: pointer.version } : undefined
}

/** @returns undefined when a part is missing or is not a document of that name, or when the release has another hash */
function putTogether(row: ReleaseRow, find: (sha: string) => Revision | undefined, modern: Modern): Release | undefined {
  const documents: DocumentRevision[] = []
  for (const [key, entry] of Object.entries(row.documents as Exclude<ReleaseRow['documents'], string>)) {
    const found = find(entry.sha256)
    if (!found || (row.kind !== 'forced' && !isDocument(found, key))) return undefined
    const revision: DocumentRevision = { ...found, ...entry, key: key as DocumentKey }
    const now = modern.of(revision)
    documents.push(now ? { ...revision, modern: now } : revision)
  }
  const texts = new Map<string, Map<string, Revision>>()
  for (const [language, areas] of Object.entries(row.texts as Exclude<ReleaseRow['texts'], string>)) {
    const table = new Map<string, Revision>()
    for (const [area, sha] of Object.entries(areas)) {
      const found = find(sha)
      if (!found) return undefined
      table.set(area, found)
    }
    texts.set(language, table)
  }
  const release = makeRelease(row.number, documents, texts)
  return release.hash === row.served ? release : undefined
}

/** The name that each revision states; read once. */
const names = new WeakMap<Revision, string>()
function isDocument(revision: Revision, key: string): boolean {
  if (!names.has(revision)) {
    let name = ''
    try {
      const { kind, id } = JSON.parse(revision.canonical) as { kind?: unknown; id?: unknown }
      name = `${kind}/${id}`
    } catch {
      // It is none.
    }
    names.set(revision, name)
  }
  return names.get(revision) === key
}

/** @param modern brings what was published long ago to the widgets and the language of today */
export function createReleaseStore(database: Database, modern: Modern): ReleaseStore {
  const { db } = database
  const pointerOf = (row: Awaited<ReturnType<typeof readPointer>>): Pointer => ({
    stable: row.stable,
    candidate: row.candidate,
    rollout: row.rollout as Rollout | null,
    version: row.version,
    changedAt: row.changed_at,
    imported: row.imported as Pointer['imported'],
    checkedBy: row.checked_by,
  })
  const readPointer = (from: Db | Tx = db) => from.selectFrom('config_live').selectAll().executeTakeFirstOrThrow()

  async function readHead(from: Db | Tx, number: number): Promise<ReleaseHead | undefined> {
    const row = await from.selectFrom('config_release').select(headColumns).where('number', '=', number).executeTakeFirst()
    return row && headOf(row)
  }

  return {
    pointer: async () => pointerOf(await readPointer()),
    pointerIn: async (tx) => pointerOf(await readPointer(tx)),
    version: async () => (await db.selectFrom('config_live').select('version').executeTakeFirstOrThrow()).version,
    lock: async (tx) => pointerOf(await tx.selectFrom('config_live').selectAll().forUpdate().executeTakeFirstOrThrow()),
    async move(tx, pointer, { rollout, ...to }, now) {
      const change = { ...to, rollout: rollout && JSON.stringify(rollout), version: pointer.version + 1, changed_at: now }
      await write(1, tx.updateTable('config_live').set(change).where('version', '=', pointer.version))
    },
    imported: async (tx, sources, checkedBy) =>
      void (await write(1, tx.updateTable('config_live').set({ imported: JSON.stringify(sources), checked_by: checkedBy }))),
    async nextNumber(tx) {
      const last = await tx
        .selectFrom('config_release')
        .select(({ fn }) => fn.max('number').as('number'))
        .executeTakeFirst()
      return Number(last?.number ?? 0) + 1
    },
    async insert(tx, { sources, rollout, emergency = false, ...row }, release, at) {
      const documents = [...release.documents].map(([key, { sha256, requires, uses, areas }]) => [key, { sha256, requires, uses, areas }])
      const texts = [...release.texts].map(([language, areas]) => [
        language,
        Object.fromEntries([...areas].map(([area, { sha256 }]) => [area, sha256])),
      ])
      const values: ReleaseRow = {
        ...row,
        number: release.release,
        served: release.hash,
        at,
        document_count: release.documents.size,
        stopped: false,
        stop: null,
        emergency,
        rollout: rollout && JSON.stringify(rollout),
        live_at: rollout ? null : at,
        sources: JSON.stringify(sources),
        documents: JSON.stringify(Object.fromEntries(documents)),
        texts: JSON.stringify(Object.fromEntries(texts)),
      }
      await write(1, tx.insertInto('config_release').values(values))
    },
    async mark(tx, number, { rollout, stop, ...change }) {
      const set = { ...change, ...(rollout && { rollout: JSON.stringify(rollout) }), ...(stop && { stop: JSON.stringify(stop) }) }
      await write(1, tx.updateTable('config_release').set(set).where('number', '=', number))
    },
    heads: async (atMost) =>
      (await db.selectFrom('config_release').select(headColumns).orderBy('number', 'desc').limit(atMost).execute()).map(headOf),
    head: (number) => readHead(db, number),
    headIn: readHead,
    async sources(from, number) {
      const row = await from.selectFrom('config_release').select('sources').where('number', '=', number).executeTakeFirst()
      return row && (row.sources as Record<string, string>)
    },
    async load(numbers, known) {
      if (numbers.length === 0) return []
      const rows = await db
        .selectFrom('config_release')
        .selectAll()
        .where('number', 'in', [...numbers])
        .execute()
      const named = rows.flatMap((row) => [
        ...Object.values(row.documents as Exclude<ReleaseRow['documents'], string>).map((entry) => entry.sha256),
        ...Object.values(row.texts as Exclude<ReleaseRow['texts'], string>).flatMap((areas) => Object.values(areas)),
      ])
      const read = await readTexts(
        db,
        named.filter((sha) => !known.has(sha)),
      )
      const found = new Map<string, Revision>([...read].map(([sha, text]) => [sha, { sha256: sha, canonical: text }]))
      const byNumber = new Map(rows.map((row) => [row.number, putTogether(row, (sha) => known.get(sha) ?? found.get(sha), modern)]))
      return numbers.map((number) => byNumber.get(number))
    },
  }
}
