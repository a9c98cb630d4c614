import { type IRateLimiterOptions, RateLimiterMemory } from 'rate-limiter-flexible'
import { ApiProblem } from '#contract/problem.ts'
import type { Database } from '#server-kit/db/db.ts'
import type { Caller } from '#server-kit/http/http.ts'
import { addressKey } from '#server-kit/http/limiter.ts'
import type { Clock } from '#server-kit/ops/clock.ts'
import type { Log } from '#server-kit/ops/log.ts'
import type { Secrets } from '#server-kit/security/secrets.ts'
import { createTries } from '#server-kit/security/tries.ts'

/** Limits of one address, on one node, for all accounts together. Requests of this machine have a bound of their own for failed logins. */
export interface AddressLimits {
  checksPerHour: number
  codesPerHour: number
  /** Guesses of visitors at codes that were not right. */
  wrongCodesPerHour: number
  failedLoginsPer15Minutes: number
  failedLoginsLoopback: number
}
export const addressLimits: AddressLimits = {
  checksPerHour: 5,
  codesPerHour: 60,
  wrongCodesPerHour: 60,
  failedLoginsPer15Minutes: 100,
  failedLoginsLoopback: 100_000,
}

/** One secret that may be guessed at: `login` by name, `password` and `factor` by account. */
interface GuessedSecret {
  kind: 'login' | 'password' | 'factor' | 'pay'
  who: string
}

export interface GuessLimits {
  /** Counts a try before it is made. @throws ApiProblem('too_many_tries') */
  take(secret: GuessedSecret, caller: Caller): Promise<void>
  giveBack(secret: GuessedSecret): Promise<void>
  clear(secret: GuessedSecret): Promise<void>
  /** @throws ApiProblem('too_many_requests') */
  byAddress(what: 'check' | 'code', caller: Caller): Promise<void>
  /** Counts a visitor's guess at a code as wrong until `codeRight`, which also takes back a guess that could not be looked at. @throws ApiProblem('too_many_tries') */
  codeTried(caller: Caller): Promise<void>
  codeRight(caller: Caller): Promise<void>
  /** Counts a login as failed until `loginSucceeded`. @throws ApiProblem('too_many_tries') */
  loginTried(caller: Caller): Promise<void>
  loginSucceeded(caller: Caller): Promise<void>
  removeOld(now: number): Promise<void>
}

const loopback = /^(?:::1$|127\.|::ffff:127\.)/
const hour = 3_600

interface GuessLimitsDeps {
  database: Database
  clock: Clock
  log: Log
  secrets: Secrets
  limits?: AddressLimits | undefined
}

export function createGuessLimits({ database, clock, log, secrets, limits = addressLimits }: GuessLimitsDeps): GuessLimits {
  const tries = createTries(database, 'guard')
  const limiter = (points: number, duration: number) => new RateLimiterMemory({ points, duration } satisfies IRateLimiterOptions)
  const checks = limiter(limits.checksPerHour, hour)
  const codes = limiter(limits.codesPerHour, hour)
  const wrongCodes = limiter(limits.wrongCodesPerHour, hour)
  const far = limiter(limits.failedLoginsPer15Minutes, hour / 4)
  const near = limiter(limits.failedLoginsLoopback, hour / 4)
  const logins = ({ ip }: Caller) => (loopback.test(ip) ? near : far)
  const subjectOf = ({ kind, who }: GuessedSecret) => `${kind}:${secrets.mac('guard', `${kind}\n${who}`).toString('base64url')}`

  async function consume(
    by: RateLimiterMemory,
    caller: Caller,
    problem: 'too_many_requests' | 'too_many_tries',
    limit: string,
  ): Promise<void> {
    try {
      await by.consume(addressKey(caller.ip))
    } catch (refused) {
      if (refused instanceof Error) throw refused
      const retryAfterSeconds = Math.max(1, Math.ceil(((refused as { msBeforeNext?: number }).msBeforeNext ?? 1_000) / 1_000))
      log.warn({ event: 'limit', limit, ip: caller.ip }, 'an address asks too often')
      throw new ApiProblem(problem, { retryAfterSeconds })
    }
  }

  return {
    async take(secret, caller) {
      const waitMs = await tries.take(subjectOf(secret), clock.now())
      if (!waitMs) return
      log.warn({ event: 'limit', limit: secret.kind, subject: subjectOf(secret).slice(0, 20), ip: caller.ip }, 'too many tries at a secret')
      throw new ApiProblem('too_many_tries', { retryAfterSeconds: Math.ceil(waitMs / 1_000) })
    },
    giveBack: (secret) => tries.giveBack(subjectOf(secret)),
    clear: (secret) => tries.clear(subjectOf(secret)),
    byAddress: (what, caller) => consume(what === 'check' ? checks : codes, caller, 'too_many_requests', what),
    codeTried: (caller) => consume(wrongCodes, caller, 'too_many_tries', 'wrong_codes'),
    codeRight: async (caller) => void (await wrongCodes.reward(addressKey(caller.ip))),
    loginTried: (caller) => consume(logins(caller), caller, 'too_many_tries', 'login_address'),
    loginSucceeded: async (caller) => void (await logins(caller).reward(addressKey(caller.ip))),
    removeOld: tries.removeOld,
  }
}
