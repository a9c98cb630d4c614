import type { Registry } from 'prom-client'
import type { CheckShape, CheckSources, Preparer } from '#config-server/check.ts'
import { createAuditStore } from '#config-server/publishing/audit.store.ts'
import {
  draftOf,
  liveOrNone,
  logged,
  notFound,
  type PublishingContext,
  partsOf,
  readDraft,
  textsOfDraft,
  textsOfRelease,
} from '#config-server/publishing/context.ts'
import { createDraftStore } from '#config-server/publishing/drafts/draft.store.ts'
import { createDraftWork } from '#config-server/publishing/drafts/drafts.ts'
import { type Imported, importSources } from '#config-server/publishing/drafts/import.ts'
import { migrateDrafts } from '#config-server/publishing/drafts/migrate.ts'
import { readTexts } from '#config-server/publishing/drafts/text.store.ts'
import { createPointerWork } from '#config-server/publishing/pointer.ts'
import { type Publishing, systemActor } from '#config-server/publishing/publishing.ts'
import { withRefusals } from '#config-server/publishing/refused.ts'
import { createReleaseStore, infoOf } from '#config-server/publishing/release.store.ts'
import { createReview } from '#config-server/publishing/review.ts'
import { createServed } from '#config-server/publishing/served.ts'
import { createUncheckedWork } from '#config-server/publishing/unchecked.ts'
import type { Release } from '#config-server/release.rules.ts'
import type { BuildUse } from '#config-server/serving/builds.ts'
import { createModern, migrations } from '#config-server/serving/modern.ts'
import type { Shown } from '#config-server/shown.ts'
import type { Migrations } from '#language/publish/migrate.ts'
import type { ConsoleEvent } from '#language/publish/publishing.ts'
import { publishingLimits } from '#language/publish/publishing-limits.ts'
import type { ReleaseEvent } from '#language/publish/release.ts'
import type { Catalog, SourceFile } from '#language/types/catalog.ts'
import type { Database } from '#server-kit/db/db.ts'
import { every } from '#server-kit/ops/every.ts'
import type { Log } from '#server-kit/ops/log.ts'

export interface PublishingOptions {
  /** With the migrations of the config server. */
  database: Database
  catalog: Catalog
  /** Steps from earlier widgets and versions of the language; those of this build unless given. */
  migrations?: Migrations
  check: CheckSources
  checkShape: CheckShape
  /** Hash of what checks documents; without it the files of the build are checked at every start. See readCheckerHash. */
  checker?: string | undefined
  prepareOne: Preparer
  /** Makes every answer ready and swaps; see revision.store.ts. */
  show: (shown: Shown) => Promise<ReleaseEvent | undefined>
  /** Clients get something else than before. */
  onShown: (event: ReleaseEvent) => void
  builds: () => readonly BuildUse[]
  canRunFlows?: () => Promise<boolean>
  now?: () => number
  log: Log
  /** How often it looks for what is due and for what other nodes did; 0 looks only when `tick` is called. */
  tickMs?: number
  /** Gets the metrics of jobs; see every.ts. */
  registry?: Registry | undefined
}

export interface CreatedPublishing {
  publishing: Publishing
  /** Shows what is live. Call it once, before anything else; see `Served.refresh`. @returns false when nothing is published yet */
  open(): Promise<boolean>
  /** See import.ts. */
  importSources(files: readonly SourceFile[], watched: boolean): Promise<Imported>
  /** Notifies the listeners of `publishing.onChange`. */
  tell(event: ConsoleEvent): void
  /** The release that clients get. */
  stable(): Release | undefined
}

export function createPublishing(options: PublishingOptions): CreatedPublishing {
  const {
    database,
    catalog,
    check,
    checkShape,
    prepareOne,
    show,
    onShown,
    builds,
    log,
    canRunFlows = async () => false,
    now = Date.now,
    tickMs = 1_000,
  } = options
  const releases = createReleaseStore(database, createModern(catalog, options.migrations ?? migrations))
  const listeners = new Set<(event: ConsoleEvent) => void>()
  const tell = (event: ConsoleEvent) => {
    for (const listener of listeners) listener(event)
  }
  const served = createServed({ releases, show, onShown, onMoved: () => tell({ about: 'release', id: null }), log })
  const [drafts, audit] = [createDraftStore(database), createAuditStore(database)]
  const context: PublishingContext = {
    database,
    releases,
    drafts,
    audit,
    served,
    catalog,
    check,
    checkShape,
    checker: options.checker,
    prepareOne,
    builds,
    canRunFlows,
    now,
    log,
    tell,
  }
  const review = createReview(context)
  const pointer = createPointerWork(context, review)
  const unchecked = createUncheckedWork(context)
  const job = every(tickMs, {
    name: 'publishing',
    async work() {
      await served.look()
      await pointer.fire()
    },
    log,
    registry: options.registry,
  })

  const publishing: Publishing = {
    ...createDraftWork(context),
    ...review.work,
    ...pointer.work,
    ...withRefusals(context, { ...review.work, ...pointer.work }),
    ...unchecked,
    live: () => liveOrNone(context),
    async drafts() {
      const all = await drafts.list()
      return Promise.all(all.map((parts) => draftOf(context, parts)))
    },
    draft: (id) => readDraft(context, id),
    async files(of) {
      if ('release' in of) return { release: of.release, files: { ...(await textsOfRelease(context, of.release)) }, changed: {} }
      const parts = await partsOf(context, of.draft)
      return { release: parts.row.base, files: await textsOfDraft(context, parts), changed: await drafts.changed(of.draft) }
    },
    async releases() {
      const [heads, at] = [await releases.heads(publishingLimits.releasesListed), await releases.pointer()]
      return heads.map((head) => infoOf(head, at))
    },
    async release(number) {
      const [head, at] = [await releases.head(number), await releases.pointer()]
      if (!head) throw notFound(`release ${number}`)
      return infoOf(head, at)
    },
    async served(number) {
      const release = await served.get(number)
      if (!release) throw notFound(`release ${number}`)
      return release
    },
    async history(id) {
      await partsOf(context, id)
      return audit.stepsOf(id)
    },
    audit: (filter) => audit.page(filter),
    async auditRow(id) {
      const row = await audit.row(id)
      if (!row) throw notFound(`row ${id} of the log`)
      return row
    },
    async auditChange(id) {
      const { path, before, after } = ((await audit.row(id))?.detail ?? {}) as Record<string, unknown>
      const isSha = (value: unknown) => value === null || typeof value === 'string'
      if (typeof path !== 'string' || !isSha(before) || !isSha(after)) throw notFound(`a change of row ${id}`)
      const shas = [before, after] as [string | null, string | null]
      const texts = await readTexts(
        database.db,
        shas.filter((sha) => sha !== null),
      )
      const [was, is] = shas.map((sha) => (sha === null ? null : texts.get(sha)))
      if (was === undefined || is === undefined) throw notFound(`a text of row ${id}`)
      return { path, before: was, after: is }
    },
    verifyAudit: () => audit.verify(),
    note: (actor, entry, tx) =>
      tx ? audit.append(tx, actor, entry, now()) : logged(context, actor, async () => ({ result: undefined, entry })),
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    tick: job.run,
    close: job.stop,
  }
  return {
    publishing,
    async open() {
      const isPublished = await served.refresh()
      await migrateDrafts(context)
      return isPublished
    },
    async importSources(files, watched) {
      if (served.live()?.stable.kind === 'forced') await unchecked.restore(systemActor)
      return importSources(context, files, watched)
    },
    tell,
    stable: served.stable,
  }
}
