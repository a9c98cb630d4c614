import { type Open, type OpenedSession, type OperatorsContext, takeTurn } from '#config-server/operators/account.ts'
import { consoleIssuer } from '#config-server/operators/credentials.ts'
import { operatorLimits, readName } from '#config-server/operators/operator.rules.ts'
import { infoOf, secretOf } from '#config-server/operators/operator.store.ts'
import type { OperatorLinkRow } from '#config-server/operators/operators.migration.ts'
import { isStrong } from '#config-server/operators/password.rules.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { SetupAnswer } from '#language/publish/operator-accounts.ts'
import { roles as allRoles } from '#language/publish/publishing.ts'
import { isUniqueViolation, type Tx } from '#server-kit/db/db.ts'
import { randomToken, sentTokenHash, tokenHash } from '#server-kit/security/secrets.ts'
import { newTotpSecret, totpStep, totpUri } from '#server-kit/security/totp.ts'

export interface Setup {
  /** True while nobody has set up. */
  needed(): Promise<boolean>
  /**
   * A link for the first operator, who gets every role. Any link of an earlier start is void.
   * @returns its token; undefined once somebody has set up
   */
  firstLink(): Promise<string | undefined>
  /** Returns the purpose of a link. @throws ApiProblem link_used */
  readLink(token: string): Promise<SetupAnswer>
  /**
   * Takes name (of the first operator only) and password, and proposes a second factor that waits for its first code. May be repeated until then.
   * @throws ApiProblem link_used, parameter_error, name_taken, password_weak
   */
  propose(token: string, name: string | undefined, password: string): Promise<SetupAnswer>
  /** The first code makes the operator, ends the link and logs in. @throws ApiProblem link_used, state_wrong, code_wrong, locked, name_taken */
  confirm(token: string, code: string, agent: string): Promise<OpenedSession>
}

export function createSetup(context: OperatorsContext, open: Open) {
  const { database, clock, secrets, audit, store, sessions, hasher } = context
  const sealedFor = (hash: Buffer) => `console_link:${hash.toString('base64url')}`

  async function found(token: string): Promise<OperatorLinkRow> {
    const hash = sentTokenHash(token)
    const link = hash && (await store.link(hash, clock.now()))
    if (!link || (link.kind === 'first' && (await store.anyReady()))) throw new ApiProblem('link_used')
    return link
  }
  /** Inside of the change that calls for it. */
  async function link(tx: Tx, kind: OperatorLinkRow['kind'], operator: number | null): Promise<{ token: string; expiresAt: number }> {
    const token = randomToken()
    const [now, expiresAt] = [clock.now(), clock.now() + operatorLimits.linkMs]
    await store.replaceLink(tx, { token_hash: tokenHash(token), kind, operator_id: operator, created_at: now, expires_at: expiresAt })
    return { token, expiresAt }
  }
  async function answerOf({ kind, operator_id, expires_at: expiresAt }: OperatorLinkRow): Promise<SetupAnswer> {
    const operator = operator_id === null ? undefined : await store.byId(operator_id)
    return { kind, name: operator?.name ?? null, roles: operator?.roles ?? [...allRoles], secret: null, uri: null, expiresAt }
  }

  const setup: Setup = {
    needed: async () => !(await store.anyReady()),
    async firstLink() {
      if (await store.anyReady()) {
        await database.transaction((tx) => store.dropLinks(tx, null))
        return undefined
      }
      return (await database.transaction((tx) => link(tx, 'first', null))).token
    },
    readLink: async (token) => answerOf(await found(token)),
    async propose(token, typed, password) {
      const row = await found(token)
      const answer = await answerOf(row)
      const name = answer.name ?? readName(typed ?? '')
      if (!name) throw new ApiProblem('parameter_error', { data: { field: 'name' } })
      if (answer.name === null && (await store.byName(name))) throw new ApiProblem('name_taken')
      if (!isStrong(password, name)) throw new ApiProblem('password_weak', { data: { field: 'password' } })
      const secret = newTotpSecret()
      const sealed = secrets.seal(secret, sealedFor(row.token_hash))
      const typedRow = { name: answer.name === null ? name : null, password_hash: await hasher.hash(password), secret: sealed }
      if (!(await store.keepTyped(row.token_hash, typedRow))) throw new ApiProblem('link_used')
      return { ...answer, name, secret, uri: totpUri(consoleIssuer, name, secret) }
    },
    async confirm(token, code, agent) {
      const row = await found(token)
      const { password_hash, secret: sealed, token_hash } = row
      if (password_hash === null || sealed === null) throw new ApiProblem('state_wrong')
      await takeTurn(context, `link:${token_hash.toString('base64url')}`)
      const secret = secrets.open(sealed, sealedFor(token_hash))
      const step = await totpStep(() => secret, code, 0, clock.now())
      if (step === undefined) throw new ApiProblem('code_wrong', { data: { field: 'code' } })
      const opened = await database
        .transaction(async (tx) => {
          const all = await store.lockAll(tx)
          if (!(await store.useLink(tx, token_hash))) throw new ApiProblem('link_used')
          if (row.kind === 'first' && all.some((one) => one.password_hash !== null)) throw new ApiProblem('link_used')
          const id = row.operator_id ?? (await make(tx, row.name!))
          const before = all.find((one) => one.id === id)
          if (before?.frozen) throw new ApiProblem('link_used')
          const credentials = { password_hash, secret: secrets.seal(secret, secretOf(id)), last_step: step }
          await store.setCredentials(tx, id, credentials)
          await sessions.endAll(tx, id)
          const session = await open(tx, id, agent)
          const name = before?.name ?? row.name!
          await audit({ actor: name, action: 'operator.set_up', subject: `operator ${name}`, detail: { kind: row.kind } }, tx)
          return session
        })
        .catch((error: unknown) => {
          throw isUniqueViolation(error) ? new ApiProblem('name_taken') : error
        })
      const operator = (await store.byId(opened.operatorId))!
      return { ...opened, operator: infoOf(operator) }
    },
  }
  const make = (tx: Tx, name: string) =>
    store.insert(tx, { name, roles: allRoles, password_hash: null, secret: null, created_at: clock.now() })
  return { ...setup, link }
}
