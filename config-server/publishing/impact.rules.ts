import { type Release, shownBy } from '#config-server/release.rules.ts'
import type { BuildUse } from '#config-server/serving/builds.ts'
import type { BuildImpact } from '#language/publish/publishing.ts'
import type { DocumentKey } from '#language/publish/release.ts'

/**
 * How far each known build can show a release. The most used first.
 * @param history what builds may fall back to, newest first
 */
export function impactOf(documents: Release['documents'], history: readonly Release[], builds: readonly BuildUse[]): BuildImpact[] {
  const reach = builds.map(({ caps, own, seenAt, share }): BuildImpact => {
    const older: DocumentKey[] = []
    const never: DocumentKey[] = []
    for (const [key, revision] of documents) {
      if (shownBy(caps, revision)) continue
      const found = history.some((release) => shownBy(caps, release.documents.get(key)))
      ;(found ? older : never).push(key)
    }
    const { hash, ...shows } = caps
    return { caps: hash, own, seenAt, share, older, never, shows }
  })
  return reach.sort((left, right) => right.share - left.share || right.seenAt - left.seenAt)
}
