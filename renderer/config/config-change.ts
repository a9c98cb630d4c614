import type { DocumentKey, Manifest } from '#language/publish/release.ts'
import { areaOf, type ConfigSource, entryOf } from '#renderer/config/config-source.ts'

export type ReleaseWatcher = (manifest: Manifest, changed: DocumentKey[], changedAreas: string[]) => void

/** Brings what is in use and will be another, with all that its new revision needs. @throws CallProblem when a part of it cannot be had */
export async function gather(source: ConfigSource, old: Manifest, next: Manifest): Promise<void> {
  const changed = changedKeys(old, next).filter((key) => next.documents[key] && source.uses(old.documents[key]?.sha256))
  const documents = withNeeds(next, changed)
  const areas = Object.keys(next.texts).filter((area) => old.texts[area] !== next.texts[area] && source.uses(old.texts[area]))
  source.keep(next.inline)
  await Promise.all([
    ...documents.map((key) => source.document(key, next.documents[key]!.sha256)),
    ...areas.map((area) => source.texts(next.texts[area]!)),
  ])
}

/** Kinds that must be here before what uses them can be drawn; prompts come when they are asked. */
const neededKinds = /^(?:form|validation|quick-entries)\//

/** The documents and those that they need, through all levels: a form may name a validation that no document used before. */
function withNeeds(next: Manifest, keys: readonly DocumentKey[]): DocumentKey[] {
  const found = new Set<DocumentKey>(keys)
  // A set that grows while it is walked is walked to its new end.
  for (const key of found) {
    for (const use of (next.documents[key]?.uses ?? []) as DocumentKey[]) if (neededKinds.test(use) && next.documents[use]) found.add(use)
  }
  return [...found]
}

/** Tells what has become another, if anything has. */
export function tell(watchers: Iterable<ReleaseWatcher>, old: Manifest | undefined, next: Manifest): void {
  const changed = changedKeys(old, next)
  const areas = [...new Set([...Object.keys(old?.texts ?? {}), ...Object.keys(next.texts)])].filter(
    (area) => areaOf(old, area) !== areaOf(next, area),
  )
  if (old?.release === next.release && changed.length === 0 && areas.length === 0) return
  for (const watcher of watchers) watcher(next, changed, areas)
}

function changedKeys(old: Manifest | undefined, next: Manifest): DocumentKey[] {
  const keys = new Set([...Object.keys(old?.documents ?? {}), ...Object.keys(next.documents)]) as Set<DocumentKey>
  return [...keys].filter((key) => entryOf(old, key) !== entryOf(next, key))
}
