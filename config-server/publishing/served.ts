import type { Live } from '#config-server/publishing/publishing.ts'
import { liveOf, type Pointer, type ReleaseHead, type ReleaseStore } from '#config-server/publishing/release.store.ts'
import { type Release, type Revision, revisionsOf } from '#config-server/release.rules.ts'
import type { Shown } from '#config-server/shown.ts'
import { publishingLimits } from '#language/publish/publishing-limits.ts'
import type { ReleaseEvent } from '#language/publish/release.ts'
import type { Log } from '#server-kit/ops/log.ts'

/** Brings the live releases of the database to the store that answers clients. */
export interface Served {
  live(): Live | undefined
  /** The release that clients get; another than the live one only where that one cannot be read. */
  stable(): Release | undefined
  /** Newest first, the stable one first of all, without what was stopped or rolled back. */
  history(): readonly Release[]
  /** @returns undefined where there is none, or where it is not whole any more */
  get(number: number): Promise<Release | undefined>
  /** Remembers a release that was just made, so that it is not read again. */
  add(release: Release): void
  /** Texts that a later read need not fetch. */
  know(revisions: Iterable<Revision>): void
  /**
   * Looks at the pointer and shows what it says. A release that cannot be read leaves everything as it is.
   * @returns false when nothing is shown
   */
  refresh(): Promise<boolean>
  /** As `refresh`, when the pointer was moved since. */
  look(): Promise<void>
}

/** Numbers that nobody may fall back to: rollouts that were ended, and everything that a rollback went behind. */
function withdrawnOf(heads: readonly Pick<ReleaseHead, 'number' | 'kind' | 'from_number' | 'stopped'>[]): number[] {
  const behind = heads.flatMap(({ kind, number, from_number: from }) =>
    kind === 'rollback' && from !== null ? [[from, number] as const] : [],
  )
  return heads
    .filter(({ number, stopped }) => stopped || behind.some(([from, to]) => number > from && number < to))
    .map(({ number }) => number)
}

export function createServed(options: {
  releases: ReleaseStore
  show: (shown: Shown) => Promise<ReleaseEvent | undefined>
  /** Clients must be notified. */
  onShown: (event: ReleaseEvent) => void
  /** The pointer is another than before. */
  onMoved: () => void
  log: Log
}): Served {
  const { releases, show, onShown, onMoved, log } = options
  const cache = new Map<number, Release>()
  let known = new Map<string, Revision>()
  let pointer: Pointer | undefined
  let live: Live | undefined
  let shown: Shown | undefined
  let queue: Promise<unknown> = Promise.resolve()

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = queue.then(work)
    queue = result.catch(() => undefined)
    return result
  }
  const know = (revisions: Iterable<Revision>) => {
    for (const { sha256, canonical } of revisions) if (!known.has(sha256)) known.set(sha256, { sha256, canonical })
  }
  const add = (release: Release) => {
    cache.set(release.release, release)
    know(revisionsOf(release))
  }
  async function load(numbers: readonly number[]): Promise<void> {
    const missing = numbers.filter((number) => !cache.has(number))
    const read = await releases.load(missing, known)
    for (const [i, release] of read.entries()) {
      if (release) add(release)
      else log.error({ release: missing[i] }, 'publishing: a stored release is incomplete and is not served')
    }
  }
  /** Keeps in memory what is shown, and nothing else. */
  function forget(kept: readonly Release[]): void {
    const numbers = new Set(kept.map((one) => one.release))
    for (const number of cache.keys()) if (!numbers.has(number)) cache.delete(number)
    known = new Map(kept.flatMap(revisionsOf).map((one) => [one.sha256, one]))
  }

  async function refresh(): Promise<boolean> {
    const now = await releases.pointer()
    if (now.stable === null) return false
    const heads = await releases.heads(publishingLimits.releasesServed)
    for (const number of [now.stable, now.candidate])
      if (number !== null && !heads.some((head) => head.number === number)) {
        const head = await releases.head(number)
        if (head) heads.push(head)
      }
    await load(heads.map((head) => head.number))
    const withdrawn = withdrawnOf(heads)
    const history = heads.flatMap(({ number, live_at }) => (live_at !== null && number !== now.stable ? (cache.get(number) ?? []) : []))
    const others = heads.flatMap(({ number, live_at }) => (live_at === null && number !== now.candidate ? (cache.get(number) ?? []) : []))
    const whole = cache.get(now.stable)
    const stable = whole ?? shown?.stable ?? history.find(({ release }) => !withdrawn.includes(release))
    if (!whole) log.error({ release: now.stable, served: stable?.release }, 'the live release cannot be read; an earlier one is served')
    if (!stable) return false
    const candidate = whole && now.candidate !== null ? cache.get(now.candidate) : undefined
    const next: Shown = {
      stable,
      candidate: candidate && now.rollout ? { release: candidate, rollout: now.rollout } : undefined,
      history: [...history, ...others].sort((left, right) => right.release - left.release),
      withdrawn,
    }
    const event = await show(next)
    const moved = pointer?.version !== now.version
    pointer = now
    shown = next
    live = liveOf(now, heads)
    forget([stable, ...(candidate ? [candidate] : []), ...next.history])
    if (event) onShown(event)
    if (moved) onMoved()
    return true
  }

  return {
    live: () => live,
    stable: () => shown?.stable,
    history: () =>
      shown
        ? [
            shown.stable,
            ...shown.history.filter(({ release }) => release !== shown?.stable.release && !shown?.withdrawn?.includes(release)),
          ]
        : [],
    get: (number) =>
      inTurn(async () => {
        const kept = cache.get(number)
        if (kept) return kept
        return (await releases.load([number], known))[0]
      }),
    add,
    know,
    refresh: () => inTurn(refresh),
    look: () =>
      inTurn(async () => {
        if ((await releases.version()) !== pointer?.version) await refresh()
      }),
  }
}
