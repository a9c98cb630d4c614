import type { GuessLimits } from '#api-server/account/login/guess-limits.ts'
import { createSecondFactorStore, type StoredFactor } from '#api-server/account/second-factor/secondfactor.store.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Database, Tx } from '#server-kit/db/db.ts'
import type { Caller, User, UserCaller } from '#server-kit/http/http.ts'
import type { Clock } from '#server-kit/ops/clock.ts'
import { hyphened, judgeFactor, newRecoveryCodes } from '#server-kit/security/second-factor.ts'
import type { Secrets } from '#server-kit/security/secrets.ts'
import { newTotpSecret, totpStep, totpUri } from '#server-kit/security/totp.ts'

const issuer = 'Tessera'
const secondFactorLimits = {
  /** A secret that is shown but not confirmed lives so long. */
  setupMs: 15 * 60_000,
  recoveryCodes: 10,
  recoveryCharacters: 10,
} as const

/** The secret and the step of the first code. */
interface FirstCode {
  step: number
  /** In clear. */
  secret: string
}

export interface SecondFactor {
  /** @param tx reads inside of a change */
  isOn(account: number, tx?: Tx): Promise<boolean>
  /**
   * The secret is shown to one session: another one that asks gets another secret in its place, and never learns the first.
   * @param label what the authenticator app shows
   * @throws ApiProblem('second_factor_on')
   */
  setUp(user: User, label: string): Promise<{ secret: string; uri: string; expires: number }>
  /** Checks the first code of the secret that waits for this session. @throws ApiProblem second_factor_not_set_up, second_factor_wrong */
  checkFirst(typed: string, caller: UserCaller, field: string): Promise<FirstCode>
  /** Turns it on. @returns recovery codes in clear @throws ApiProblem('second_factor_on') */
  confirm(tx: Tx, account: number, first: FirstCode): Promise<string[]>
  /**
   * Nothing to do when there is no second factor. A code is taken once.
   * @returns how it was passed
   * @throws ApiProblem second_factor_required, second_factor_wrong, too_many_tries
   */
  pass(account: number, typed: string | undefined, caller: Caller, field: string): Promise<'none' | 'totp' | 'recovery'>
  remove(tx: Tx, account: number): Promise<void>
  /** Turns it on with a given secret; for tests. @returns recovery codes in clear */
  put(account: number, secret: string): Promise<string[]>
}

export function createSecondFactor({
  database,
  clock,
  secrets,
  guesses,
}: {
  database: Database
  clock: Clock
  secrets: Secrets
  guesses: GuessLimits
}): SecondFactor {
  const store = createSecondFactorStore(database)
  const about = (account: number) => `second_factor:${account}`
  const waitingFor = ({ uid, session }: User) => `${about(uid)}:${session}`
  const hashOf = (account: number, code: string) => secrets.mac('recovery', `${account}\n${code}`)

  /** The secret that waits for this session; undefined for one that waits for another. */
  function waitingSecret({ secret }: StoredFactor, user: User): string | undefined {
    try {
      return secrets.open(secret, waitingFor(user))
    } catch {
      return undefined
    }
  }

  async function confirm(tx: Tx, account: number, { step, secret }: FirstCode): Promise<string[]> {
    const { recoveryCodes: count, recoveryCharacters: characters } = secondFactorLimits
    const codes = newRecoveryCodes({ count, characters })
    const hashes = codes.map((code) => hashOf(account, code))
    const row = { secret: secrets.seal(secret, about(account)), last_step: step, confirmed_at: clock.now() }
    if (!(await store.confirm(tx, account, row, hashes))) throw new ApiProblem('second_factor_on')
    return codes.map((code) => hyphened(code, characters / 2))
  }

  return {
    isOn: async (account, tx) => typeof (await store.of(account, tx))?.confirmed_at === 'number',
    async setUp(user, label) {
      const now = clock.now()
      // A caller that waited for another node's turn finds a secret that is younger than its own request.
      const isFresh = ({ created_at }: StoredFactor) => Math.abs(now - created_at) < secondFactorLimits.setupMs
      const proposed = await store.propose(
        user.uid,
        (found) => {
          if (found?.confirmed_at) throw new ApiProblem('second_factor_on')
          if (found && isFresh(found) && waitingSecret(found, user) !== undefined) return undefined
          return secrets.seal(newTotpSecret(), waitingFor(user))
        },
        now,
      )
      const secret = secrets.open(proposed.secret, waitingFor(user))
      return { secret, uri: totpUri(issuer, label, secret), expires: proposed.created_at + secondFactorLimits.setupMs }
    },
    async checkFirst(typed, caller, field) {
      const { uid: account } = caller.user
      const waiting = await store.of(account)
      if (waiting?.confirmed_at) throw new ApiProblem('second_factor_on')
      const secret = waiting && waitingSecret(waiting, caller.user)
      if (secret === undefined || clock.now() >= waiting!.created_at + secondFactorLimits.setupMs)
        throw new ApiProblem('second_factor_not_set_up')
      const subject: Parameters<GuessLimits['take']>[0] = { kind: 'factor', who: String(account) }
      await guesses.take(subject, caller)
      const step = await totpStep(() => secret, typed, 0, clock.now())
      if (step === undefined) throw new ApiProblem('second_factor_wrong', { field })
      await guesses.clear(subject)
      return { step, secret }
    },
    confirm,
    async pass(account, typed, caller, field) {
      const factor = await store.of(account)
      if (!factor?.confirmed_at) return 'none'
      if (!typed) throw new ApiProblem('second_factor_required', { field })
      const subject: Parameters<GuessLimits['take']>[0] = { kind: 'factor', who: String(account) }
      await guesses.take(subject, caller)
      const { secret, last_step: lastStep } = factor
      const { recoveryCharacters } = secondFactorLimits
      const now = clock.now()
      const given = await judgeFactor(typed, { secret: () => secrets.open(secret, about(account)), lastStep, recoveryCharacters }, now)
      const passed =
        given?.kind === 'totp'
          ? await store.takeStep(account, given.step)
          : given && (await store.takeRecovery(account, hashOf(account, given.code), now))
      if (!given || !passed) throw new ApiProblem('second_factor_wrong', { field })
      await guesses.clear(subject)
      return given.kind
    },
    remove: store.remove,
    async put(account, secret) {
      await store.propose(account, (found) => (found?.confirmed_at ? undefined : secrets.seal(secret, about(account))), clock.now())
      return database.transaction((tx) => confirm(tx, account, { step: 0, secret }))
    },
  }
}
