import { setTimeout as sleep } from 'node:timers/promises'
import type { RatesProvider } from '#api-server/rates/rates.provider.ts'
import { isDue, type StoredRates } from '#api-server/rates/rates.rules.ts'
import type { RatesStore } from '#api-server/rates/rates.store.ts'
import type { walletCalls } from '#contract/calls/wallet.calls.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Handlers } from '#server-kit/http/http.ts'
import type { Clock } from '#server-kit/ops/clock.ts'
import type { Log } from '#server-kit/ops/log.ts'

/** Pause before the provider is asked again after a failure. */
export const retryAfterMs = 60_000
/** So long the first callers wait for a provider that is slow to answer; it is asked on meanwhile. */
const firstWaitMs = 1_500
const retrySeconds = 2

interface RatesDeps {
  store: RatesStore
  provider: RatesProvider
  clock: Clock
  log: Log
  /** Ends after so many ms, or when the signal aborts; replaced in tests. */
  pause?: (ms: number, signal: AbortSignal) => Promise<unknown>
}

const pauseMs = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal, ref: false }).catch(() => undefined)

export function ratesHandlers({
  store,
  provider,
  clock,
  log,
  pause = pauseMs,
}: RatesDeps): Pick<Handlers<typeof walletCalls>, 'wallet.getRateCurrency'> {
  let kept: StoredRates | undefined
  let failedAt: number | undefined
  let fetching: Promise<void> | undefined

  async function refresh(): Promise<void> {
    try {
      const rates = { ...(await provider.fetch()), fetchedAt: clock.now() }
      await store.replace(rates)
      kept = rates
      failedAt = undefined
    } catch (error) {
      failedAt = clock.now()
      log.warn({ err: error, source: provider.source }, 'rates: new currency rates could not be fetched; the stored rates stay in use')
    }
  }
  async function shortly(work: Promise<void>): Promise<void> {
    const done = new AbortController()
    await Promise.race([work, pause(firstWaitMs, done.signal)])
    done.abort()
  }
  const resting = () => failedAt !== undefined && Math.abs(clock.now() - failedAt) < retryAfterMs

  return {
    'wallet.getRateCurrency': async () => {
      if (isDue(kept, provider.source, clock.now())) {
        kept = (await store.read()) ?? kept
        if (isDue(kept, provider.source, clock.now()) && !resting()) {
          fetching ??= refresh().finally(() => {
            fetching = undefined
          })
          // Old rates are preferred to waiting for a provider that may hang, and an answer to a long wait.
          if (!kept) await shortly(fetching)
        }
      }
      if (!kept) throw new ApiProblem('rates_unavailable', { retryAfterSeconds: retrySeconds })
      return { base: 'USD', saveTime: kept.fetchedAt, source: kept.source, list: kept.list }
    },
  }
}
