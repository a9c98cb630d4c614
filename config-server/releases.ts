import { type Checked, type CheckSources, type Preparer, showProblem } from '#config-server/check.ts'
import { type DocumentRevision, type Release, revisionOf, sha256, textRevisions } from '#config-server/release.rules.ts'
import type { RevisionStore } from '#config-server/revision.store.ts'
import { canonical } from '#language/canonical.ts'
import type { LintProblem, SourceFile, TextCatalog } from '#language/catalog.ts'
import type { Json } from '#language/documents.ts'
import type { DocumentKey } from '#language/release.ts'

/** Documents and texts that may not be published. The message lists every problem, one a line. */
export class BrokenSources extends Error {
  readonly problems: readonly LintProblem[]
  constructor(problems: readonly LintProblem[]) {
    super(
      `${problems.length} ${problems.length === 1 ? 'problem keeps' : 'problems keep'} these documents from being published:\n${problems.map(showProblem).join('\n')}`,
    )
    this.name = 'BrokenSources'
    this.problems = problems
  }
}

export interface Releases {
  /**
   * Checks a set and makes it the live release. Without `texts` the present ones stay.
   * @throws BrokenSources; the live release stays as it was
   */
  publish(files: SourceFile[], texts?: TextCatalog): Promise<Release>
  /** For tests of what must not happen: puts documents into a release unchecked; null takes one out. */
  force(changes: Readonly<Record<string, Json>>): Promise<Release>
  /** Back to what `publish` last accepted. */
  restore(): Promise<Release | undefined>
  /** @returns a function that ends it */
  onRelease(listener: (release: Release) => void): () => void
}

interface Accepted {
  checked: Checked
  documents: DocumentRevision[]
  texts: TextCatalog
}

const nothingNeeded = { requires: { widgets: [], operators: [], steps: [], format: 1 }, uses: [], areas: [] }

export function createReleases(options: { store: RevisionStore; check: CheckSources; prepareOne: Preparer }): Releases {
  const { store, check, prepareOne } = options
  const listeners = new Set<(release: Release) => void>()
  let accepted: Accepted | undefined
  let queue: Promise<unknown> = Promise.resolve()

  /** One after the other: a release is made from the one before it. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = queue.then(work)
    queue = result.catch(() => undefined)
    return result
  }
  async function goLive(documents: DocumentRevision[], texts: TextCatalog): Promise<Release> {
    const before = store.current()
    const release = await store.put(documents, textRevisions(texts))
    if (release !== before) for (const listener of listeners) listener(release)
    return release
  }
  function forced(key: DocumentKey, doc: Json, now: Accepted): DocumentRevision {
    const prepared = prepareOne(now.checked, key, doc)
    if (prepared) return revisionOf(prepared)
    const text = canonical(doc)
    const before = now.documents.find((revision) => revision.key === key)
    return { ...(before ?? nothingNeeded), key, canonical: text, sha256: sha256(text) }
  }

  return {
    publish: (files, texts) =>
      inTurn(async () => {
        const words = texts ?? accepted?.texts ?? {}
        const checked = check(files, words)
        if (checked.problems.length) throw new BrokenSources(checked.problems)
        const documents = checked.prepared.map(revisionOf)
        const release = await goLive(documents, words)
        accepted = { checked, documents, texts: words }
        return release
      }),
    force: (changes) =>
      inTurn(async () => {
        if (!accepted) throw new Error('nothing is published yet')
        const now = accepted
        const documents = new Map<string, DocumentRevision>(now.documents.map((revision) => [revision.key, revision]))
        for (const [key, doc] of Object.entries(changes)) {
          if (doc === null) documents.delete(key)
          else documents.set(key, forced(key as DocumentKey, doc, now))
        }
        return goLive([...documents.values()], now.texts)
      }),
    restore: () => inTurn(async () => (accepted ? goLive(accepted.documents, accepted.texts) : store.current())),
    onRelease(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
