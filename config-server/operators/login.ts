import {
  type Open,
  type OpenedSession,
  type OperatorsContext,
  type Proof,
  type Session,
  takeTurn,
} from '#config-server/operators/account.ts'
import { nameKey, operatorLimits } from '#config-server/operators/operator.rules.ts'
import { infoOf, recoveryOf, type StoredOperator, secretOf } from '#config-server/operators/operator.store.ts'
import type { OperatorSessionRow } from '#config-server/operators/operators.migration.ts'
import type { ConsoleAction } from '#contract/console/console.rows.ts'
import { ApiProblem } from '#contract/problem.ts'
import { judgeFactor, type TypedFactor } from '#server-kit/security/second-factor.ts'
import { sentTokenHash } from '#server-kit/security/secrets.ts'
import { isOver, isSeenAgain, newSession } from '#server-kit/security/sessions.ts'

export interface Login {
  /**
   * The answer is the same for a wrong name, password or code, and for a frozen operator.
   * Earlier sessions of the operator end, those of a browser at the login of a browser and those of programs at the login of a program: a session
   * that was left open elsewhere does not outlive it.
   * @param agent what it is used from, for the list of sessions
   * @throws ApiProblem login_failed, locked
   */
  login(name: string, proof: Proof, agent: string, program?: boolean): Promise<OpenedSession>
  /**
   * Returns the session of this token. The database is asked each time, so that an end takes effect at once.
   * @param use counts as use of the session; what a page asks by itself is none
   */
  whoIs(token: string, use?: boolean): Promise<Session | undefined>
  /** Whether this session has not ended. Does not count as use of it: a stream that stays open is none. */
  isAlive(session: string): Promise<boolean>
  /** Proves again who one is. @returns until when that counts @throws ApiProblem login_failed, locked */
  prove(session: Session, proof: Proof): Promise<number>
  /** @throws ApiProblem not_found */
  end(operator: number, session: string): Promise<void>
}

/** Of nobody: a code is checked against it where there is no operator, so that both take the same time. */
const nobodySecret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

export function createLogin(context: OperatorsContext) {
  const { database, clock, log, secrets, audit, store, sessions, tries, hasher } = context
  /** Uses up a code of the second factor, or in its place a recovery code. */
  async function takeCode({ id, name }: StoredOperator, given: TypedFactor): Promise<boolean> {
    if (given.kind === 'totp') return store.takeStep(id, given.step)
    if (!(await store.takeRecovery(id, secrets.mac(recoveryOf(id), given.code)))) return false
    await audit({ actor: name, action: 'operator.recovery_used', subject: `operator ${name}` })
    return true
  }

  /** Counts the try first. @throws ApiProblem login_failed, locked */
  async function check(name: string, operator: StoredOperator | undefined, proof: Proof, action: ConsoleAction): Promise<StoredOperator> {
    // By the name alone: a count by operator would reveal from the spellings of a name whether an operator has it.
    const subject = secrets.mac('console_login', nameKey(name)).toString('base64url')
    await takeTurn(context, subject)
    const right = await hasher.verify(operator?.password_hash, proof.password)
    const secret = operator?.secret ? secrets.open(operator.secret, secretOf(operator.id)) : nobodySecret
    // Judged whether the rest is right or not, so that the time reveals nothing; used up only when it is.
    const { recoveryCharacters } = operatorLimits
    const given = await judgeFactor(
      proof.code,
      { secret: () => secret, lastStep: operator?.last_step ?? 0, recoveryCharacters },
      clock.now(),
    )
    const passed = operator && !operator.frozen && right && given && (await takeCode(operator, given))
    if (!passed) {
      await audit({ actor: 'nobody', action, subject: operator ? `operator ${operator.name}` : 'operator unknown' })
      throw new ApiProblem('login_failed')
    }
    await tries.clear(subject)
    const { id, password_hash } = operator
    if (password_hash === null || !hasher.isDated(password_hash)) return operator
    const renewed = await hasher.hash(proof.password)
    return (await store.renewHash(id, password_hash, renewed)) ? { ...operator, password_hash: renewed } : operator
  }

  /** A new session; its token is returned here and never again. */
  const open: Open = async (tx, operatorId, agent, program = false) => {
    const { token, session } = newSession(operatorLimits, clock.now())
    const freshUntil = session.created_at + operatorLimits.freshMs
    const own = { operator_id: operatorId, agent: agent.slice(0, operatorLimits.agentCharactersMax), fresh_until: freshUntil, program }
    await sessions.create(tx, operatorId, { ...session, ...own })
    return { id: session.id, token, operatorId, expiresAt: session.expires_at, freshUntil }
  }

  const login: Login = {
    async login(name, proof, agent, program = false) {
      const operator = await check(name.slice(0, 200), await store.byName(name.slice(0, 200)), proof, 'operator.login_failed')
      const opened = await database.transaction(async (tx) => {
        // Frozen, or with another password, since it was looked at.
        const still = await store.lock(tx, operator.id)
        if (!still || still.frozen || still.password_hash !== operator.password_hash) throw new ApiProblem('login_failed')
        const ended = await sessions.endKind(tx, operator.id, program)
        const session = await open(tx, operator.id, agent, program)
        const detail = { agent, ...(ended > 0 && { ended }) }
        await audit({ actor: operator.name, action: 'operator.login', subject: `operator ${operator.name}`, detail }, tx)
        return session
      })
      await store.seen(operator.id, clock.now())
      return { ...opened, operator: infoOf(operator) }
    },
    async whoIs(token, use = true) {
      const hash = sentTokenHash(token)
      const session = hash && (await sessions.byToken(hash))
      const now = clock.now()
      if (!session || isOver(session, operatorLimits, now)) return undefined
      const operator = await store.byId(session.operator_id)
      if (!operator || operator.frozen || operator.password_hash === null) return undefined
      if (use && isSeenAgain(session, operatorLimits, now))
        await Promise.all([sessions.seen(session.id, now), store.seen(operator.id, now)]).catch((error: unknown) =>
          log.warn({ err: error }, 'the last use of an operator session was not written'),
        )
      return { id: session.id, operator: infoOf(operator), freshUntil: session.fresh_until }
    },
    async isAlive(id) {
      const session = await sessions.byId(id)
      if (!session || isOver(session, operatorLimits, clock.now())) return false
      const operator = await store.byId(session.operator_id)
      return operator !== undefined && !operator.frozen && operator.password_hash !== null
    },
    async prove({ id, operator }, proof) {
      await check(operator.name, await store.byId(operator.id), proof, 'operator.fresh_failed')
      const until = clock.now() + operatorLimits.freshMs
      await sessions.setFresh(id, until)
      return until
    },
    async end(operator, session) {
      if (!(await sessions.end(database.db, operator, session))) throw new ApiProblem('not_found')
    },
  }
  const alive = async (operator: number): Promise<OperatorSessionRow[]> =>
    (await sessions.list(operator)).filter((session) => !isOver(session, operatorLimits, clock.now()))
  return { ...login, open, alive }
}
