import { randomBytes } from 'node:crypto'
import type { Guard } from '#api-server/account/guard.ts'
import { readFactor, recoveryCodeFrom, secondFactorLimits } from '#api-server/account/secondfactor.rules.ts'
import { createSecondFactorStore } from '#api-server/account/secondfactor.store.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Clock } from '#server-kit/clock.ts'
import type { Database, Tx } from '#server-kit/db.ts'
import type { Caller } from '#server-kit/http.ts'
import type { Secrets } from '#server-kit/secrets.ts'
import { newTotpSecret, totpStep, totpUri } from '#server-kit/totp.ts'

const issuer = 'Tessera'

export interface SecondFactor {
  isOn(account: number): Promise<boolean>
  /** @param label what the authenticator app shows @throws ApiProblem('second_factor_on') */
  setUp(account: number, label: string): Promise<{ secret: string; uri: string; expires: number }>
  /** Checks the first code of a secret that waits. @returns its step @throws ApiProblem second_factor_not_set_up, second_factor_wrong */
  checkFirst(account: number, typed: string, caller: Caller, field: string): Promise<number>
  /** Turns it on. @returns recovery codes in clear @throws ApiProblem('second_factor_on') */
  confirm(tx: Tx, account: number, step: number): Promise<string[]>
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
  const hashOf = (account: number, code: string) => secrets.mac('recovery', `${account}\n${code}`)

  async function confirm(tx: Tx, account: number, step: number): Promise<string[]> {
    const { recoveryCodes, recoveryCharacters } = secondFactorLimits
    const codes = Array.from({ length: recoveryCodes }, () => recoveryCodeFrom(randomBytes(recoveryCharacters)))
    const hashes = codes.map((code) => hashOf(account, code.replace('-', '')))
    if (!(await store.confirm(tx, account, step, clock.now(), hashes))) throw new ApiProblem('second_factor_on')
    return codes
  }

  return {
    isOn: async (account) => typeof (await store.of(account))?.confirmed_at === 'number',
    async setUp(account, label) {
      const now = clock.now()
      const before = await store.of(account)
      if (before?.confirmed_at) throw new ApiProblem('second_factor_on')
      const isFresh = before !== undefined && before.created_at <= now && now < before.created_at + secondFactorLimits.setupMs
      const secret = isFresh ? secrets.open(before.secret, about(account)) : newTotpSecret()
      if (!isFresh && !(await store.propose(account, secrets.seal(secret, about(account)), now))) throw new ApiProblem('second_factor_on')
      const created = isFresh ? before.created_at : now
      return { secret, uri: totpUri(issuer, label, secret), expires: created + secondFactorLimits.setupMs }
    },
    async checkFirst(account, typed, caller, field) {
      const waiting = await store.of(account)
      if (waiting?.confirmed_at) throw new ApiProblem('second_factor_on')
      if (!waiting || clock.now() >= waiting.created_at + secondFactorLimits.setupMs) throw new ApiProblem('second_factor_not_set_up')
      const secret: Parameters<Guard['take']>[0] = { kind: 'factor', who: String(account) }
      await guard.take(secret, caller)
      const read = readFactor(typed)
      const step =
        read?.kind === 'totp' ? await totpStep(secrets.open(waiting.secret, about(account)), read.value, 0, clock.now()) : undefined
      if (step === undefined) throw new ApiProblem('second_factor_wrong', { field })
      await guard.clear(secret)
      return step
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
      await store.propose(account, secrets.seal(secret, about(account)), clock.now())
      return database.transaction((tx) => confirm(tx, account, 0))
    },
  }
}
