import type { MadeLink, OpenedSession, OperatorsDeps } from '#config-server/operators/account.ts'
import { type Credentials, createCredentials } from '#config-server/operators/credentials.ts'
import { createLogin, type Login } from '#config-server/operators/login.ts'
import { locksOut, nameKey, operatorLimits, readName, readRoles } from '#config-server/operators/operator.rules.ts'
import { createOperatorStore, infoOf, secretOf } from '#config-server/operators/operator.store.ts'
import { createOperatorSessionStore } from '#config-server/operators/session.store.ts'
import { createSetup, type Setup } from '#config-server/operators/setup.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { OperatorInfo, OperatorSession } from '#language/publish/operator-accounts.ts'
import type { Role } from '#language/publish/publishing.ts'
import { isUniqueViolation, type Tx } from '#server-kit/db/db.ts'
import { createHasher } from '#server-kit/security/hasher.ts'
import { newTotpSecret } from '#server-kit/security/totp.ts'
import { createTries } from '#server-kit/security/tries.ts'

export interface Operators extends Login, Setup, Credentials {
  list(): Promise<OperatorInfo[]>
  /** @throws ApiProblem parameter_error, name_taken */
  invite(by: string, name: string, roles: readonly string[]): Promise<MadeLink>
  /**
   * Takes effect at once: a frozen operator's sessions and links end.
   * @throws ApiProblem not_found, parameter_error, lock_out when nobody would be left who may let others in
   */
  change(by: string, id: number, change: { roles?: readonly string[]; frozen?: boolean }): Promise<OperatorInfo>
  /** Password and second factor go, sessions end; the link sets both anew. @throws ApiProblem not_found, state_wrong, lock_out */
  reset(by: string, id: number): Promise<MadeLink>
  sessions(operator: number, current: string): Promise<OperatorSession[]>
  /** For tests: one who is there at once with these roles, and logged in. @throws ApiProblem parameter_error */
  put(name: string, roles: readonly string[], fresh: boolean): Promise<OpenedSession & { password: string; totpSecret: string }>
  /** Takes out what is over. */
  sweep(): Promise<void>
}

const testPassword = 'Quiet-river-2468-sand'

function rolesOrRefuse(asked: readonly string[]): Role[] {
  const roles = readRoles(asked)
  if (!roles) throw new ApiProblem('parameter_error', { data: { field: 'roles' } })
  return roles
}
function nameOrRefuse(typed: string): string {
  const name = readName(typed)
  if (!name) throw new ApiProblem('parameter_error', { data: { field: 'name' } })
  return name
}

/** Those who may operate the console: apart from customers in tables, tokens and cookies. */
export async function createOperators(deps: OperatorsDeps): Promise<Operators> {
  const { database, clock, secrets, audit } = deps
  const store = createOperatorStore(database)
  const sessions = createOperatorSessionStore(database)
  const tries = createTries(database, 'config_operator_guard')
  const context = { ...deps, store, sessions, tries, hasher: await createHasher() }
  const { open, alive, ...login } = createLogin(context)
  const { link, ...setup } = createSetup(context, open)

  const refreshed = async (id: number): Promise<OperatorInfo> => {
    const row = await store.byId(id)
    if (!row) throw new ApiProblem('not_found')
    return infoOf(row)
  }
  async function insert(tx: Tx, name: string, roles: readonly Role[]): Promise<number> {
    if ((await store.lockAll(tx)).length >= operatorLimits.operatorsMax) throw new ApiProblem('too_large')
    return store.insert(tx, { name, roles, password_hash: null, secret: null, created_at: clock.now() })
  }
  const nameTaken = (error: unknown): never => {
    throw isUniqueViolation(error) ? new ApiProblem('name_taken') : error
  }

  return {
    ...login,
    ...setup,
    ...createCredentials(context),
    list: async () => (await store.list()).map(infoOf),
    async invite(by, typed, asked) {
      const [name, roles] = [nameOrRefuse(typed), rolesOrRefuse(asked)]
      const made = await database
        .transaction(async (tx) => {
          const id = await insert(tx, name, roles)
          const made = await link(tx, 'invite', id)
          await audit({ actor: by, action: 'operator.invite', subject: `operator ${name}`, detail: { roles } }, tx)
          return { id, ...made }
        })
        .catch(nameTaken)
      return { operator: await refreshed(made.id), token: made.token, expiresAt: made.expiresAt }
    },
    async change(by, id, { roles: asked, frozen }) {
      const roles = asked && rolesOrRefuse(asked)
      await database.transaction(async (tx) => {
        const all = await store.lockAll(tx)
        const before = all.find((one) => one.id === id)
        if (!before) throw new ApiProblem('not_found')
        const change = { ...(roles && { roles }), ...(frozen !== undefined && { frozen }) }
        if (!Object.keys(change).length) throw new ApiProblem('parameter_error')
        if (locksOut(all.map(infoOf), { id, ...change })) throw new ApiProblem('lock_out')
        await store.change(tx, id, change)
        if (frozen) {
          await sessions.endAll(tx, id)
          await store.dropLinks(tx, id)
        }
        const subject = `operator ${before.name}`
        if (roles) await audit({ actor: by, action: 'operator.roles', subject, detail: { from: before.roles, to: roles } }, tx)
        if (frozen !== undefined && frozen !== before.frozen)
          await audit({ actor: by, action: frozen ? 'operator.freeze' : 'operator.unfreeze', subject }, tx)
      })
      return refreshed(id)
    },
    async reset(by, id) {
      const made = await database.transaction(async (tx) => {
        const all = await store.lockAll(tx)
        const before = all.find((one) => one.id === id)
        if (!before) throw new ApiProblem('not_found')
        if (before.frozen) throw new ApiProblem('state_wrong')
        if (locksOut(all.map(infoOf), { id, ready: false })) throw new ApiProblem('lock_out')
        await store.setCredentials(tx, id, undefined)
        await sessions.endAll(tx, id)
        const made = await link(tx, before.password_hash === null ? 'invite' : 'reset', id)
        await audit({ actor: by, action: 'operator.reset', subject: `operator ${before.name}` }, tx)
        return made
      })
      return { operator: await refreshed(id), ...made }
    },
    async sessions(operator, current) {
      return (await alive(operator)).map(({ id, created_at, seen_at, agent }) => ({
        id,
        agent,
        createdAt: created_at,
        seenAt: seen_at,
        current: id === current,
      }))
    },
    async put(typed, asked, fresh) {
      const [name, roles, totpSecret] = [nameOrRefuse(typed), rolesOrRefuse(asked), newTotpSecret()]
      const password_hash = await context.hasher.hash(testPassword)
      const opened = await database.transaction(async (tx) => {
        const id = (await store.lockAll(tx)).find((one) => one.name_key === nameKey(name))?.id ?? (await insert(tx, name, roles))
        await store.change(tx, id, { roles, frozen: false })
        await store.setCredentials(tx, id, { password_hash, secret: secrets.seal(totpSecret, secretOf(id)), last_step: 0 })
        return open(tx, id, 'test')
      })
      if (!fresh) await sessions.setFresh(opened.id, clock.now())
      return { ...opened, operator: await refreshed(opened.operatorId), password: testPassword, totpSecret }
    },
    async sweep() {
      const now = clock.now()
      await Promise.all([tries.removeOld(now), store.removeOldLinks(now), sessions.removeOver(now)])
    },
  }
}
