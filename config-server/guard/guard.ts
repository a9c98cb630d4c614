import type { Registry } from 'prom-client'
import { actOn, compareMs, type GuardAct, judge, metricsOf, type WatchedRelease, watchAfterMs } from '#config-server/guard/guard.rules.ts'
import type { Metrics } from '#config-server/guard/metrics.ts'
import { guardActor, type Publishing } from '#config-server/publishing/publishing.ts'
import type { GuardMetrics } from '#language/publish/publishing.ts'
import { every } from '#server-kit/ops/every.ts'
import type { Log } from '#server-kit/ops/log.ts'

/** Watches the clients' reports of a release while it is new, and takes it back by itself. Each node has one; the first to see it acts. */
export interface Guard {
  /** The candidate, the stable release, and the one before it while the stable one is new; the newest first. */
  metrics(): Promise<GuardMetrics[]>
  /** Looks once. Runs by itself every five seconds; tests call it. Never throws. */
  tick(): Promise<void>
  /** Told when a verdict or a figure is another one than at the last look. @returns ends it */
  onChange(listener: () => void): () => void
  close(): Promise<void>
}

export interface GuardOptions {
  publishing: Pick<Publishing, 'live' | 'stop' | 'rollback' | 'note' | 'audit'>
  metrics: Metrics
  now: () => number
  log: Log
  /** 5 s by default; 0 looks only when `tick` is called. */
  everyMs?: number
  /** Gets the metrics of jobs; see every.ts. */
  registry?: Registry | undefined
}

const keptMs = 7 * 86_400_000
const cleanEveryMs = 3_600_000

export function createGuard({ publishing, metrics, now, log, everyMs = 5_000, registry }: GuardOptions): Guard {
  const listeners = new Set<() => void>()
  /** One action per release, whatever is reported of it afterwards. */
  const done = new Set<number>()
  /** Operators were asked about these. */
  const asked = new Set<number>()
  let last = ''
  let cleanedAt = 0

  function watched(): WatchedRelease {
    const { stable, candidate } = publishing.live()
    const { number, kind, from, at, liveAt, emergency = false } = candidate ?? stable
    return candidate
      ? { number, kind, from: stable.number, completeAt: null, emergency }
      : { number, kind, from, completeAt: liveAt ?? at, emergency }
  }
  const isNew = ({ completeAt }: WatchedRelease) => completeAt === null || now() - completeAt <= watchAfterMs

  async function act(release: WatchedRelease, what: NonNullable<GuardAct>, metrics: GuardMetrics): Promise<void> {
    const { reason } = metrics
    try {
      if (what.do === 'stop') await publishing.stop(guardActor, reason, release.number, metrics)
      else await publishing.rollback(guardActor, what.to, { reason, from: release.number, figures: metrics })
      done.add(release.number)
      log.warn({ release: release.number, act: what.do, reason }, 'the guard took a release back')
    } catch (error) {
      // Somebody was quicker, here or on another node.
      if ((error as { code?: unknown }).code === 'state_wrong') done.add(release.number)
      else log.error({ release: release.number, err: error }, 'the guard could not take a release back')
    }
  }

  /** Leaves a row in the log, once for a release whatever node sees it first; consoles show the verdict as something to decide. */
  async function ask({ number }: WatchedRelease, metrics: GuardMetrics): Promise<void> {
    const entry = { action: 'release.suspect' as const, subject: `release ${number}` }
    if ((await publishing.audit({ ...entry, limit: 1 })).total > 0) return void asked.add(number)
    const { reason, screens } = metrics
    await publishing.note(guardActor, { ...entry, reason, detail: { screens } })
    asked.add(number)
    log.warn(
      { release: number, reason },
      'clients report a bad release, but the evidence does not allow the guard to act; an operator must decide',
    )
  }

  async function read(): Promise<{ release: WatchedRelease; all: GuardMetrics[] }> {
    const release = watched()
    const against = isNew(release) ? release.from : null
    const numbers = [release.number, ...(against === null ? [] : [against])]
    const sums = await metrics.sums(numbers, now() - compareMs)
    const stable = against === null ? undefined : sums.get(against)
    const all = [metricsOf(release.number, sums.get(release.number), judge(sums.get(release.number), stable, release))]
    if (against !== null) all.push(metricsOf(against, stable, judge(stable, undefined, { completeAt: 0, emergency: false })))
    return { release, all }
  }

  async function look(): Promise<void> {
    await metrics.flush()
    if (now() - cleanedAt > cleanEveryMs) {
      cleanedAt = now()
      await metrics.removeOld(cleanedAt - keptMs)
    }
    const { release, all } = await read()
    const [first] = all
    const what = first && !done.has(release.number) ? actOn(release, first.verdict, now()) : undefined
    if (first && what) await act(release, what, first)
    if (first?.verdict === 'suspect' && release.kind === 'publish' && isNew(release) && !asked.has(release.number))
      await ask(release, first)
    const text = JSON.stringify(all)
    if (text === last) return
    last = text
    for (const listener of listeners) listener()
  }
  const job = every(everyMs, { name: 'guard', work: look, log, registry })

  return {
    async metrics() {
      await metrics.flush()
      return (await read()).all
    },
    tick: job.run,
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async close() {
      await job.stop()
      await metrics.flush().catch(() => undefined)
    },
  }
}
