import type { Release } from '#config-server/release.rules.ts'
import type { Rollout } from '#language/publish/publishing.ts'

/** A release that some clients get before all do. */
export interface Candidate {
  release: Release
  rollout: Rollout
}

/** The live releases. */
export interface Shown {
  stable: Release
  candidate?: Candidate | undefined
  /**
   * Releases that clients may still hold, newest first, at most `releasesKept`: their documents go on being served. Builds that cannot show what is
   * live get the newest of these that they can, except for what was `withdrawn`. Those that are live may be among them.
   */
  history: readonly Release[]
  /** Numbers of releases that were stopped or rolled back: nobody falls back to them. */
  withdrawn?: readonly number[] | undefined
}

/** Clients that hold an earlier manifest still fetch its documents, and older builds stay on them, so revisions outlive their release by this many. */
export const releasesKept = 50
