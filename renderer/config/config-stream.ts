import type { Manifest, ReleaseEvent } from '#language/publish/release.ts'
import { type EventStream, followStream } from '#renderer/calls/event-stream.ts'
import type { Timers } from '#renderer/calls/retry.ts'

/** The state that a client needs to hear of the next release. */
export interface Hears {
  open: () => EventStream
  timers: Timers
  random: () => number
  /** The release that is shown, or the one that is about to be. */
  known: () => Manifest | undefined
  /** Asks for the newest manifest. */
  check: () => void
  /** The stream stands: what was published while nobody listened is asked for, after what is being asked for already. */
  opened: () => void
  /** The stream is gone: where none gets through, asking now and then still brings releases. */
  lost: () => void
}

/** Listens for releases. @returns ends it */
export function listenTo({ known, check, ...following }: Hears): () => void {
  return followStream({ ...following, on: { release: (data) => isNews(data, known()) && check() } })
}

/** Whether a release event speaks of another release than the known one. */
function isNews(data: unknown, known: Manifest | undefined): boolean {
  try {
    const { release, hash } = JSON.parse(data as string) as Partial<ReleaseEvent>
    return release !== known?.release || hash !== known?.hash
  } catch {
    return true
  }
}
