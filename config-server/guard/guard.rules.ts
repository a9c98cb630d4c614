import { metricLimits, noSums, type Sums } from '#config-server/guard/metrics.ts'
import type { GuardMetrics } from '#language/publish/publishing.ts'

/** When a release goes back by itself. Rates are parts of one. */
const guardLimits = {
  /** Broken screens to shown ones, whatever the stable release does. */
  errorRateMax: 0.01,
  /** The same to the stable release's rate. */
  errorRateTimes: 3,
  /** Below this rate, the comparison is one of chances. */
  errorRateLeast: 0.001,
  /** Where the stable release itself breaks more often than that, the candidate must be clearly worse. */
  errorRateWorse: 1.5,
  /** Failed calls to shown screens; some always fail, so it is only ever compared. */
  failureTimes: 3,
  failureRateLeast: 0.02,
  latencyTimes: 3,
  latencyMsLeast: 2_000,
  /** Told screens, without which a mean says nothing. */
  latencyShownLeast: 30,
  /** Networks that must say so, each for itself: to stop a rollout, and to take a release from everybody. */
  witnessesLeast: { stop: 5, rollback: 10 },
  /** And at least this share of the networks that were given the release; with fewer, operators decide. */
  witnessShare: 0.1,
  /** From so many networks on operators are asked, although it is too few to act. */
  askFrom: 3,
} as const

/** One page in this many reports the screens that it showed, and every page reports those that broke. */
const pagesPerTeller = 10

interface Judgement {
  verdict: GuardMetrics['verdict']
  /** `<code>: <in words>`; the code is one of `guardReasons`. */
  reason: string
}
export const guardReasons = ['nothing_told', 'within_limits', 'few_networks', 'emergency', 'error_rate', 'failure_rate', 'latency'] as const

const errorsOf = ({ broken, refused }: Sums) => broken + refused
/** Where nobody has reported shown screens yet, those that broke are all there are. */
const rate = (count: number, { shown }: Sums) => (count === 0 ? 0 : count / Math.max(count, shown * pagesPerTeller))
export const errorRate = (sums: Sums) => rate(errorsOf(sums), sums)
const latencyMs = ({ shown, latencyMs: sum }: Sums) => (shown === 0 ? undefined : sum / shown)

const percent = (part: number) => `${Number((part * 100).toPrecision(2))} %`

interface Finding {
  reason: string
  witnesses: number
}

function findings(sums: Sums, stable: Sums): Finding[] {
  const found: Finding[] = []
  const [errors, errorsBefore] = [errorRate(sums), errorRate(stable)]
  const most = Math.max(guardLimits.errorRateMax, guardLimits.errorRateWorse * errorsBefore)
  const compared = Math.max(guardLimits.errorRateLeast, guardLimits.errorRateTimes * errorsBefore)
  const limit = Math.min(most, compared)
  if (errors > limit)
    found.push({
      reason: `error_rate: ${percent(errors)} of its screens broke, ${percent(limit)} may (${percent(errorsBefore)} do on the stable release)`,
      witnesses: sums.brokenBy,
    })
  const [failures, failuresBefore] = [rate(sums.failed, sums), rate(stable.failed, stable)]
  const failuresMax = Math.max(guardLimits.failureRateLeast, guardLimits.failureTimes * failuresBefore)
  // Without shown screens on both sides there is nothing to compare.
  if (sums.shown > 0 && stable.shown > 0 && failures > failuresMax)
    found.push({
      reason: `failure_rate: ${percent(failures)} calls failed for each screen, ${percent(failuresMax)} may (${percent(failuresBefore)} do on the stable release)`,
      witnesses: sums.failedBy,
    })
  const [late, lateBefore] = [latencyMs(sums), latencyMs(stable)]
  const enough = sums.shown >= guardLimits.latencyShownLeast && stable.shown >= guardLimits.latencyShownLeast
  if (enough && late !== undefined && lateBefore !== undefined) {
    const lateMax = Math.max(guardLimits.latencyMsLeast, guardLimits.latencyTimes * lateBefore)
    if (late > lateMax)
      found.push({
        reason: `latency: a screen takes ${Math.round(late)} ms, ${Math.round(lateMax)} ms may be (${Math.round(lateBefore)} ms on the stable release)`,
        witnesses: sums.shownBy,
      })
  }
  return found
}

/** How many networks must say that a release is bad before the guard acts by itself. */
function witnessesNeeded({ served }: Sums, { completeAt }: Pick<WatchedRelease, 'completeAt'>): number {
  const { witnessesLeast, witnessShare } = guardLimits
  const least = completeAt === null ? witnessesLeast.stop : witnessesLeast.rollback
  return Math.min(metricLimits.marksMax, Math.max(least, Math.ceil(witnessShare * served)))
}

/**
 * Judges a release by reports of witnesses, compared with the stable release. `bad`: the guard acts. `suspect`: it looks bad, but the evidence
 * is thin or the release is an emergency, so operators decide.
 * @param stable undefined where there is none to compare with
 */
export function judge(
  sums: Sums | undefined,
  stable: Sums | undefined,
  release: Pick<WatchedRelease, 'completeAt' | 'emergency'>,
): Judgement {
  if (!sums || sums.batches + sums.refused === 0) return { verdict: 'watching', reason: 'nothing_told: no client told anything of it yet' }
  const found = findings(sums, stable ?? noSums())
  const needed = witnessesNeeded(sums, release)
  const proved = found.find(({ witnesses }) => witnesses >= needed)
  if (proved && release.emergency)
    return { verdict: 'suspect', reason: `emergency: it is not taken back by itself; ${proved.reason}; ${proved.witnesses} networks told` }
  if (proved) return { verdict: 'bad', reason: `${proved.reason}; ${proved.witnesses} networks told` }
  const most = found.toSorted((left, right) => right.witnesses - left.witnesses)[0]
  if (most)
    return {
      verdict: most.witnesses >= guardLimits.askFrom ? 'suspect' : 'watching',
      reason: `few_networks: ${most.witnesses} of ${needed} networks told; ${most.reason}`,
    }
  return { verdict: 'healthy', reason: `within_limits: ${percent(errorRate(sums))} of its screens broke` }
}

/** Returns the metrics of a release for operators. */
export function metricsOf(release: number, sums: Sums | undefined, { verdict, reason }: Judgement): GuardMetrics {
  const metrics = sums ?? noSums()
  const late = latencyMs(metrics)
  return {
    release,
    shown: metrics.shown,
    broken: metrics.broken,
    refused: metrics.refused,
    failed: metrics.failed,
    latencyMs: late === undefined ? null : Math.round(late),
    errorRate: errorRate(metrics),
    verdict,
    reason,
    screens: metrics.screens,
  }
}

/** A release as the guard sees it. */
export interface WatchedRelease {
  number: number
  kind: string
  from: number | null
  /** When everybody began to get it, ms since 1970; null while it is being rolled out. */
  completeAt: number | null
  /** Reports alone never take back a release that operators published to repair something. */
  emergency: boolean
}

/** How long a release is watched after everybody got it. */
export const watchAfterMs = 600_000
/** How far back the release that it is compared with is looked at. */
export const compareMs = 3_600_000

export type GuardAct = { do: 'stop' } | { do: 'rollback'; to: number } | undefined

/**
 * Decides the act for a bad release: a rollout is stopped, and a release that everybody has is rolled back to the one that it was made on.
 * A release from files, a rollback or a test is left alone: there is no better release to go back to, or somebody wants it so.
 */
export function actOn({ kind, from, completeAt }: WatchedRelease, verdict: GuardMetrics['verdict'], nowMs: number): GuardAct {
  if (verdict !== 'bad' || kind !== 'publish') return undefined
  if (completeAt === null) return { do: 'stop' }
  return from !== null && nowMs - completeAt <= watchAfterMs ? { do: 'rollback', to: from } : undefined
}
