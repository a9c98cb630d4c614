import { nameKey } from '#config-server/operators/operator.rules.ts'
import type { OperatorLinkRow, OperatorRow } from '#config-server/operators/operators.migration.ts'
import type { OperatorInfo } from '#language/publish/operator-accounts.ts'
import type { Role } from '#language/publish/publishing.ts'
import { type Database, type Tx, takeTurnIn, write, writeAny } from '#server-kit/db/db.ts'

export type StoredOperator = Omit<OperatorRow, 'roles'> & { roles: Role[] }

export const infoOf = (row: StoredOperator): OperatorInfo => ({
  id: row.id,
  name: row.name,
  roles: row.roles,
  frozen: row.frozen,
  createdAt: row.created_at,
  lastSeenAt: row.seen_at,
  ready: row.password_hash !== null,
})
/** Returns the context that a sealed second factor is bound to. */
export const secretOf = (operator: number) => `console_factor:${operator}`
/** Returns the context that the stored MAC of a recovery code is bound to. */
export const recoveryOf = (operator: number) => `console_recovery:${operator}`

export interface OperatorStore {
  list(): Promise<StoredOperator[]>
  /** Two that decide by who there is wait for each other, whoever is added; each row is locked, in the order of their numbers. */
  lockAll(tx: Tx): Promise<StoredOperator[]>
  /** Nobody else changes this one before the transaction is over. */
  lock(tx: Tx, id: number): Promise<StoredOperator | undefined>
  byName(name: string): Promise<StoredOperator | undefined>
  byId(id: number): Promise<StoredOperator | undefined>
  /** True when somebody has set up. */
  anyReady(): Promise<boolean>
  /** @throws a unique violation when the name is taken */
  insert(tx: Tx, row: Pick<OperatorRow, 'name' | 'password_hash' | 'secret' | 'created_at'> & { roles: readonly Role[] }): Promise<number>
  change(tx: Tx, id: number, change: { roles?: readonly Role[]; frozen?: boolean }): Promise<void>
  /** Recovery codes and a proposed factor of before are void. @param step the last one whose code was taken */
  setCredentials(tx: Tx, id: number, credentials: { password_hash: string; secret: Buffer; last_step: number } | undefined): Promise<void>
  setPassword(tx: Tx, id: number, hash: string): Promise<void>
  proposeFactor(id: number, secret: Buffer): Promise<void>
  /** The proposed factor becomes the one that counts. @returns false when another one is proposed by now */
  takeFactor(tx: Tx, id: number, proposed: Buffer, factor: { secret: Buffer; last_step: number }): Promise<boolean>
  /** New recovery codes in place of all earlier ones. */
  replaceRecovery(tx: Tx, id: number, macs: readonly Buffer[]): Promise<void>
  /** Takes the code out. @returns false when there is none, or none any more */
  takeRecovery(id: number, mac: Buffer): Promise<boolean>
  recoveryLeft(id: number): Promise<number>
  /** @returns false when this step, or a later one, was taken before */
  takeStep(id: number, step: number): Promise<boolean>
  /** The same password with newer parameters. @returns false when it is another one by now */
  renewHash(id: number, from: string, to: string): Promise<boolean>
  seen(id: number, at: number): Promise<void>

  link(hash: Buffer, now: number): Promise<OperatorLinkRow | undefined>
  /** A new link in place of every older one of the same operator; with operator null of every first one. */
  replaceLink(tx: Tx, link: Pick<OperatorLinkRow, 'token_hash' | 'kind' | 'operator_id' | 'created_at' | 'expires_at'>): Promise<void>
  /** @returns false when the link is not there any more */
  keepTyped(hash: Buffer, typed: Pick<OperatorLinkRow, 'name' | 'password_hash' | 'secret'>): Promise<boolean>
  /** Takes the link out. @returns false when it was used before */
  useLink(tx: Tx, hash: Buffer): Promise<boolean>
  dropLinks(tx: Tx, operator: number | null): Promise<void>
  removeOldLinks(now: number): Promise<void>
}

const withRoles = (row: OperatorRow): StoredOperator => ({ ...row, roles: row.roles as Role[] })

export function createOperatorStore(database: Database): OperatorStore {
  const { db } = database
  const one = (row: OperatorRow | undefined) => row && withRoles(row)
  return {
    list: async () => (await db.selectFrom('config_operator').selectAll().orderBy('name_key').execute()).map(withRoles),
    async lockAll(tx) {
      await takeTurnIn(database, tx, 'operators')
      return (await tx.selectFrom('config_operator').selectAll().orderBy('id').forUpdate().execute()).map(withRoles)
    },
    async lock(tx, id) {
      const row = await tx.selectFrom('config_operator').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
      return one(row)
    },
    byName: async (name) =>
      one(await db.selectFrom('config_operator').selectAll().where('name_key', '=', nameKey(name)).executeTakeFirst()),
    byId: async (id) => one(await db.selectFrom('config_operator').selectAll().where('id', '=', id).executeTakeFirst()),
    anyReady: async () =>
      (await db.selectFrom('config_operator').select('id').where('password_hash', 'is not', null).limit(1).executeTakeFirst()) !==
      undefined,
    async insert(tx, { roles, ...row }) {
      const values = {
        ...row,
        name_key: nameKey(row.name),
        roles: JSON.stringify(roles),
        frozen: false,
        last_step: 0,
        seen_at: null,
        next_secret: null,
      }
      const [made] = await write(
        1,
        tx
          .insertInto('config_operator')
          .values(values as OperatorRow)
          .returning('id'),
      )
      return made!.id
    },
    async change(tx, id, { roles, frozen }) {
      const change = { ...(roles && { roles: JSON.stringify(roles) }), ...(frozen !== undefined && { frozen }) }
      await write(1, tx.updateTable('config_operator').set(change).where('id', '=', id))
    },
    async setCredentials(tx, id, credentials) {
      const change = credentials ?? { password_hash: null, secret: null, last_step: 0 }
      await write(
        1,
        tx
          .updateTable('config_operator')
          .set({ ...change, next_secret: null })
          .where('id', '=', id),
      )
      await writeAny(tx.deleteFrom('config_operator_recovery').where('operator_id', '=', id))
    },
    setPassword: async (tx, id, password_hash) =>
      void (await write(1, tx.updateTable('config_operator').set({ password_hash }).where('id', '=', id))),
    proposeFactor: async (id, next_secret) =>
      void (await write(1, db.updateTable('config_operator').set({ next_secret }).where('id', '=', id))),
    takeFactor: async (tx, id, proposed, factor) =>
      (await writeAny(
        tx
          .updateTable('config_operator')
          .set({ ...factor, next_secret: null })
          .where('id', '=', id)
          .where('next_secret', '=', proposed),
      )) === 1,
    async replaceRecovery(tx, operator_id, macs) {
      await writeAny(tx.deleteFrom('config_operator_recovery').where('operator_id', '=', operator_id))
      await write(macs.length, tx.insertInto('config_operator_recovery').values(macs.map((mac) => ({ operator_id, mac }))))
    },
    takeRecovery: async (id, mac) =>
      (await writeAny(db.deleteFrom('config_operator_recovery').where('operator_id', '=', id).where('mac', '=', mac))) === 1,
    async recoveryLeft(id) {
      const all = db.selectFrom('config_operator_recovery').where('operator_id', '=', id)
      return Number((await all.select(({ fn }) => fn.countAll<number>().as('left')).executeTakeFirstOrThrow()).left)
    },
    takeStep: async (id, step) =>
      (await writeAny(db.updateTable('config_operator').set({ last_step: step }).where('id', '=', id).where('last_step', '<', step))) === 1,
    renewHash: async (id, from, to) =>
      (await writeAny(
        db.updateTable('config_operator').set({ password_hash: to }).where('id', '=', id).where('password_hash', '=', from),
      )) === 1,
    seen: async (id, at) => void (await writeAny(db.updateTable('config_operator').set({ seen_at: at }).where('id', '=', id))),

    link: (hash, now) =>
      db.selectFrom('config_operator_link').selectAll().where('token_hash', '=', hash).where('expires_at', '>', now).executeTakeFirst(),
    async replaceLink(tx, link) {
      await dropLinks(tx, link.operator_id)
      await write(1, tx.insertInto('config_operator_link').values({ ...link, name: null, password_hash: null, secret: null }))
    },
    keepTyped: async (hash, typed) =>
      (await writeAny(db.updateTable('config_operator_link').set(typed).where('token_hash', '=', hash))) === 1,
    useLink: async (tx, hash) => (await writeAny(tx.deleteFrom('config_operator_link').where('token_hash', '=', hash))) === 1,
    dropLinks,
    removeOldLinks: async (now) => void (await writeAny(db.deleteFrom('config_operator_link').where('expires_at', '<=', now))),
  }
}

async function dropLinks(tx: Tx, operator: number | null): Promise<void> {
  const all = tx.deleteFrom('config_operator_link')
  await writeAny(operator === null ? all.where('operator_id', 'is', null) : all.where('operator_id', '=', operator))
}
