import { type OperatorsContext, type Session, takeTurn } from '#config-server/operators/account.ts'
import { operatorLimits } from '#config-server/operators/operator.rules.ts'
import { recoveryOf, secretOf } from '#config-server/operators/operator.store.ts'
import { isStrong } from '#config-server/operators/password.rules.ts'
import type { ConsoleAction } from '#contract/console/console.rows.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { FactorProposal, RecoveryCodes } from '#language/publish/operator-accounts.ts'
import { hyphened, newRecoveryCodes } from '#server-kit/security/second-factor.ts'
import { newTotpSecret, totpStep, totpUri } from '#server-kit/security/totp.ts'

/**
 * Changes that operators make to their own access. The caller asks for a fresh login. Other sessions of the operator end with each change.
 */
export interface Credentials {
  /** @throws ApiProblem password_weak */
  changePassword(session: Session, next: string): Promise<void>
  /** A new second factor, which counts from its first code on. The present one counts until then. */
  proposeFactor(session: Session): Promise<FactorProposal>
  /** @throws ApiProblem state_wrong where none is proposed, code_wrong, locked */
  confirmFactor(session: Session, code: string): Promise<void>
  /** New recovery codes, shown once; earlier ones are void. Each stands in for one code of the second factor. */
  makeRecoveryCodes(session: Session): Promise<RecoveryCodes>
  recoveryLeft(operator: number): Promise<number>
}

export const consoleIssuer = 'Tessera Console'
/** Returns the context that a sealed factor is bound to while it waits for its first code. */
const proposedOf = (operator: number) => `console_factor_next:${operator}`

export function createCredentials(context: OperatorsContext): Credentials {
  const { database, clock, secrets, audit, store, sessions, tries, hasher } = context
  /** @throws ApiProblem login_required where the access was reset or frozen meanwhile */
  async function change(
    session: Session,
    action: ConsoleAction,
    work: (tx: Parameters<typeof store.lock>[0]) => Promise<void>,
  ): Promise<void> {
    const { id, name } = session.operator
    await database.transaction(async (tx) => {
      const now = await store.lock(tx, id)
      if (!now || now.frozen || now.password_hash === null) throw new ApiProblem('login_required')
      await work(tx)
      await audit({ actor: name, action, subject: `operator ${name}` }, tx)
    })
  }

  return {
    async changePassword(session, next) {
      const { id, name } = session.operator
      if (!isStrong(next, name)) throw new ApiProblem('password_weak', { data: { field: 'next' } })
      const password_hash = await hasher.hash(next)
      await change(session, 'operator.password', async (tx) => {
        await store.setPassword(tx, id, password_hash)
        await sessions.endAll(tx, id, session.id)
      })
    },
    async proposeFactor({ operator: { id, name } }) {
      const secret = newTotpSecret()
      await store.proposeFactor(id, secrets.seal(secret, proposedOf(id)))
      return { secret, uri: totpUri(consoleIssuer, name, secret) }
    },
    async confirmFactor(session, code) {
      const { id } = session.operator
      const sealed = (await store.byId(id))?.next_secret
      if (!sealed) throw new ApiProblem('state_wrong')
      const subject = `factor:${id}`
      await takeTurn(context, subject)
      const secret = secrets.open(sealed, proposedOf(id))
      const step = await totpStep(() => secret, code, 0, clock.now())
      if (step === undefined) throw new ApiProblem('code_wrong', { data: { field: 'code' } })
      await change(session, 'operator.factor', async (tx) => {
        // Another proposal may have taken its place since its code was looked at.
        if (!(await store.takeFactor(tx, id, sealed, { secret: secrets.seal(secret, secretOf(id)), last_step: step })))
          throw new ApiProblem('state_wrong')
        await sessions.endAll(tx, id, session.id)
      })
      await tries.clear(subject)
    },
    async makeRecoveryCodes(session) {
      const { id } = session.operator
      const codes = newRecoveryCodes({ count: operatorLimits.recoveryCodes, characters: operatorLimits.recoveryCharacters })
      await change(session, 'operator.recovery_codes', (tx) =>
        store.replaceRecovery(
          tx,
          id,
          codes.map((code) => secrets.mac(recoveryOf(id), code)),
        ),
      )
      return { codes: codes.map((code) => hyphened(code, 4)) }
    },
    recoveryLeft: (operator) => store.recoveryLeft(operator),
  }
}
