import { randomBytes } from 'node:crypto'
import type { Guard } from '#api-server/account/login/guard.ts'
import { readFactor, recoveryCodeFrom, secondFactorLimits } from '#api-server/account/second-factor/secondfactor.rules.ts'
import { createSecondFactorStore, type StoredFactor } from '#api-server/account/second-factor/secondfactor.store.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Database, Tx } from '#server-kit/db/db.ts'
import type { Caller, User, UserCaller } from '#server-kit/http/http.ts'
import type { Clock } from '#server-kit/ops/clock.ts'
import type { Secrets } from '#server-kit/security/secrets.ts'
import { newTotpSecret, totpStep, totpUri } from '#server-kit/security/totp.ts'

const issuer = 'Tessera'

/** What the first code was right for. */
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
  guard,
}: {
  database: Database
  clock: Clock
  secrets: Secrets
  guard: Guard
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
    const { recoveryCodes, recoveryCharacters } = secondFactorLimits
    const codes = Array.from({ length: recoveryCodes }, () => recoveryCodeFrom(randomBytes(recoveryCharacters)))
    const hashes = codes.map((code) => hashOf(account, code.replace('-', '')))
    const row = { secret: secrets.seal(secret, about(account)), last_step: step, confirmed_at: clock.now() }
    if (!(await store.confirm(tx, account, row, hashes))) throw new ApiProblem('second_factor_on')
    return codes
  }

  return {
    isOn: async (account, tx) => typeof (await store.of(account, tx))?.confirmed_at === 'number',
    async setUp(user, label) {
      const now = clock.now()
      // Who waited for another node's turn finds a secret that is younger than its own question.
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
      const subject: Parameters<Guard['take']>[0] = { kind: 'factor', who: String(account) }
      await guard.take(subject, caller)
      const read = readFactor(typed)
      const step = read?.kind === 'totp' ? await totpStep(secret, read.value, 0, clock.now()) : undefined
      if (step === undefined) throw new ApiProblem('second_factor_wrong', { field })
      await guard.clear(subject)
      return { step, secret }
    },
    confirm,
    async pass(account, typed, caller, field) {
      const factor = await store.of(account)
      if (!factor?.confirmed_at) return 'none'
      if (!typed) throw new ApiProblem('second_factor_required', { field })
      const subject: Parameters<Guard['take']>[0] = { kind: 'factor', who: String(account) }
      await guard.take(subject, caller)
      const read = readFactor(typed)
      let passed = false
      if (read?.kind === 'totp') {
        const step = await totpStep(secrets.open(factor.secret, about(account)), read.value, factor.last_step, clock.now())
        passed = step !== undefined && (await store.takeStep(account, step))
      } else if (read) passed = await store.takeRecovery(account, hashOf(account, read.value), clock.now())
      if (!passed) throw new ApiProblem('second_factor_wrong', { field })
      await guard.clear(subject)
      return read?.kind === 'totp' ? 'totp' : 'recovery'
    },
    remove: store.remove,
    async put(account, secret) {
      await store.propose(account, (found) => (found?.confirmed_at ? undefined : secrets.seal(secret, about(account))), clock.now())
      return database.transaction((tx) => confirm(tx, account, { step: 0, secret }))
    },
  }
}
