import type { AccountRow, SessionRow } from '#api-server/account/account.migration.ts'
import { sessionLimits } from '#api-server/account/sessions/session.rules.ts'
import { type Database, type Tx, write, writeAny } from '#server-kit/db/db.ts'

export type FoundSession = SessionRow & Pick<AccountRow, 'status'>

export interface SessionStore {
  byToken(hash: Buffer): Promise<FoundSession | undefined>
  list(account: number): Promise<SessionRow[]>
  /** Those of these sessions that have not ended. */
  alive(ids: readonly string[], now: number): Promise<Set<string>>
  /** Whether a session has not been ended, as the transaction sees it. */
  isThere(tx: Tx, id: string): Promise<boolean>
  /** Beyond the limit the one that was used longest ago ends. */
  create(tx: Tx, session: SessionRow): Promise<void>
  seen(id: string, at: number, ip: string): Promise<void>
  /** @returns whether there was one */
  end(tx: Tx, account: number, id: string): Promise<boolean>
  /** Ends all but one, or all. @returns how many */
  endOthers(tx: Tx, account: number, but: string | undefined): Promise<number>
  removeOver(now: number): Promise<void>
  knowsDevice(account: number, hash: Buffer): Promise<boolean>
  hasDevice(account: number): Promise<boolean>
  keepDevice(tx: Tx, account: number, hash: Buffer, at: number): Promise<void>
  forgetDevices(tx: Tx, account: number): Promise<void>
}

export function createSessionStore(database: Database): SessionStore {
  const { db } = database
  const found = db
    .selectFrom('session')
    .innerJoin('account', 'account.id', 'session.account_id')
    .selectAll('session')
    .select('account.status')
  return {
    byToken: (hash) => found.where('token_hash', '=', hash).executeTakeFirst(),
    list: (account) => db.selectFrom('session').selectAll().where('account_id', '=', account).orderBy('seen_at', 'desc').execute(),
    async alive(ids, now) {
      if (!ids.length) return new Set()
      const rows = await db
        .selectFrom('session')
        .innerJoin('account', 'account.id', 'session.account_id')
        .select('session.id')
        .where('session.id', 'in', [...ids])
        .where('account.status', '=', 'active')
        .where('session.expires_at', '>', now)
        .where('session.seen_at', '>', now - sessionLimits.idleMs)
        .execute()
      return new Set(rows.map((row) => row.id))
    },
    isThere: async (tx, id) => (await tx.selectFrom('session').select('id').where('id', '=', id).executeTakeFirst()) !== undefined,
    async create(tx, session) {
      const { perAccountMax } = sessionLimits
      const surplus = tx
        .selectFrom('session')
        .select('id')
        .where('account_id', '=', session.account_id)
        .orderBy('seen_at', 'desc')
        .offset(perAccountMax - 1)
      await writeAny(tx.deleteFrom('session').where('id', 'in', surplus))
      await write(1, tx.insertInto('session').values(session))
    },
    seen: async (id, at, ip) =>
      void (await writeAny(db.updateTable('session').set({ seen_at: at, ip }).where('id', '=', id).where('seen_at', '<', at))),
    end: async (tx, account, id) => (await writeAny(tx.deleteFrom('session').where('account_id', '=', account).where('id', '=', id))) === 1,
    endOthers: (tx, account, but) => {
      const all = tx.deleteFrom('session').where('account_id', '=', account)
      return writeAny(but === undefined ? all : all.where('id', '<>', but))
    },
    async removeOver(now) {
      const over = db
        .deleteFrom('session')
        .where((row) => row.or([row('expires_at', '<=', now), row('seen_at', '<=', now - sessionLimits.idleMs)]))
      await writeAny(over)
    },
    knowsDevice: async (account, hash) =>
      (await db.selectFrom('device').select('hash').where('hash', '=', hash).where('account_id', '=', account).executeTakeFirst()) !==
      undefined,
    hasDevice: async (account) =>
      (await db.selectFrom('device').select('account_id').where('account_id', '=', account).limit(1).executeTakeFirst()) !== undefined,
    async keepDevice(tx, account, hash, at) {
      const surplus = tx
        .selectFrom('device')
        .select('hash')
        .where('account_id', '=', account)
        .where('hash', '<>', hash)
        .orderBy('seen_at', 'desc')
        .offset(sessionLimits.devicesPerAccountMax - 1)
      await writeAny(tx.deleteFrom('device').where('hash', 'in', surplus))
      const row = { hash, account_id: account, created_at: at, seen_at: at }
      await writeAny(
        tx
          .insertInto('device')
          .values(row)
          .onConflict((one) => one.column('hash').doUpdateSet({ seen_at: at })),
      )
    },
    forgetDevices: async (tx, account) => void (await writeAny(tx.deleteFrom('device').where('account_id', '=', account))),
  }
}
