import type { Open, OpenedSession, OperatorsContext, Proof, Session } from '#config-server/operators/account.ts'
import { isOver, nameKey, operatorLimits } from '#config-server/operators/operator.rules.ts'
import { infoOf, type StoredOperator, secretOf } from '#config-server/operators/operator.store.ts'
import type { OperatorSessionRow } from '#config-server/operators/operators.migration.ts'
import { readRecovery, recoveryOf } from '#config-server/operators/recovery.rules.ts'
import { ApiProblem } from '#contract/problem.ts'
import { randomToken, tokenHash } from '#server-kit/security/secrets.ts'
import { readTotp, totpStep } from '#server-kit/security/totp.ts'

export interface Login {
  /**
   * The answer is the same for a wrong name, password or code, and for a frozen operator.
   * @param agent what it is used from, for the list of sessions
   * @throws ApiProblem login_failed, locked
   */
  login(name: string, proof: Proof, agent: string): Promise<OpenedSession>
  /**
   * Who has this token just now: asked of the database each time, so that an end takes effect at once.
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

const idBytes = 12
/** A token is 43 characters; what is longer is not looked up. */
const tokenMax = 200
/** Of nobody: a code is checked against it where there is no operator, so that both take the same time. */
const nobodySecret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

export function createLogin({ database, clock, log, secrets, audit, store, sessions, hasher }: OperatorsContext) {
  /** Uses up a code of the second factor, or in its place a recovery code. @param step of a right code of the factor */
  async function takeCode({ id, name }: StoredOperator, step: number | undefined, typed: string): Promise<boolean> {
    if (step !== undefined) return store.takeStep(id, step)
    const recovery = readRecovery(typed)
    if (recovery === undefined || !(await store.takeRecovery(id, secrets.mac(recoveryOf(id), recovery)))) return false
    await audit({ actor: name, action: 'operator.recovery_used', subject: `operator ${name}` })
    return true
  }

  /** Counts the try first. @throws ApiProblem login_failed, locked */
  async function check(name: string, operator: StoredOperator | undefined, proof: Proof, action: string): Promise<StoredOperator> {
    // By the name alone: a count by operator would tell from the spellings of a name whether an operator has it.
    const subject = secrets.mac('console_login', nameKey(name)).toString('base64url')
    const waitMs = await store.take(subject, clock.now())
    if (waitMs) throw new ApiProblem('locked', { retryAfterSeconds: Math.ceil(waitMs / 1_000) })
    const right = await hasher.verify(operator?.password_hash, proof.password)
    const secret = operator?.secret ? secrets.open(operator.secret, secretOf(operator.id)) : nobodySecret
    const step = await totpStep(secret, readTotp(proof.code) ?? '', operator?.last_step ?? 0, clock.now()).catch(() => undefined)
    const passed = operator && !operator.frozen && right && (await takeCode(operator, step, proof.code))
    if (!passed) {
      await audit({ actor: 'nobody', action, subject: operator ? `operator ${operator.name}` : 'operator unknown' })
      throw new ApiProblem('login_failed')
    }
    await store.clear(subject)
    const { id, password_hash } = operator
    if (password_hash === null || !hasher.isDated(password_hash)) return operator
    const renewed = await hasher.hash(proof.password)
    return (await store.renewHash(id, password_hash, renewed)) ? { ...operator, password_hash: renewed } : operator
  }

  /** A new session; its token is told here and never again. */
  const open: Open = async (tx, operatorId, agent) => {
    const now = clock.now()
    const [token, id] = [randomToken(), randomToken(idBytes)]
    const times = { created_at: now, seen_at: now, expires_at: now + operatorLimits.absoluteMs, fresh_until: now + operatorLimits.freshMs }
    const row = { id, operator_id: operatorId, token_hash: tokenHash(token), agent: agent.slice(0, operatorLimits.agentCharactersMax) }
    await sessions.create(tx, { ...row, ...times })
    return { id, token, operatorId, expiresAt: times.expires_at, freshUntil: times.fresh_until }
  }

  const login: Login = {
    async login(name, proof, agent) {
      const operator = await check(name.slice(0, 200), await store.byName(name.slice(0, 200)), proof, 'operator.login_failed')
      const opened = await database.transaction(async (tx) => {
        // Frozen, or with another password, since it was looked at.
        const still = await store.lock(tx, operator.id)
        if (!still || still.frozen || still.password_hash !== operator.password_hash) throw new ApiProblem('login_failed')
        const session = await open(tx, operator.id, agent)
        await audit({ actor: operator.name, action: 'operator.login', subject: `operator ${operator.name}`, detail: { agent } }, tx)
        return session
      })
      await store.seen(operator.id, clock.now())
      return { ...opened, operator: infoOf(operator) }
    },
    async whoIs(token, use = true) {
      if (token.length > tokenMax) return undefined
      const session = await sessions.byToken(tokenHash(token))
      const now = clock.now()
      if (!session || isOver(session, now)) return undefined
      const operator = await store.byId(session.operator_id)
      if (!operator || operator.frozen || operator.password_hash === null) return undefined
      if (use && now - session.seen_at >= operatorLimits.seenEveryMs)
        await Promise.all([sessions.seen(session.id, now), store.seen(operator.id, now)]).catch((error: unknown) =>
          log.warn({ err: error }, 'the last use of an operator session was not written'),
        )
      return { id: session.id, operator: infoOf(operator), freshUntil: session.fresh_until }
    },
    async isAlive(id) {
      const session = await sessions.byId(id)
      if (!session || isOver(session, clock.now())) return false
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
      if (!(await sessions.end(operator, session))) throw new ApiProblem('not_found')
    },
  }
  const alive = async (operator: number): Promise<OperatorSessionRow[]> =>
    (await sessions.list(operator)).filter((session) => !isOver(session, clock.now()))
  return { ...login, open, alive }
}
