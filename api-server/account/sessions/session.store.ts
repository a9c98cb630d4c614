import type { AccountRow, SessionRow } from '#api-server/account/account.migration.ts'
import { sessionLimits } from '#api-server/account/sessions/session.rules.ts'
import { type Database, type Tx, writeAny } from '#server-kit/db/db.ts'
import { createSessionTable, type SessionTable } from '#server-kit/security/sessions.ts'

export type FoundSession = SessionRow & Pick<AccountRow, 'status'>

export interface SessionStore extends SessionTable<SessionRow> {
  byToken(hash: Buffer): Promise<FoundSession | undefined>
  /** Those of these sessions that have not ended. */
  alive(ids: readonly string[], now: number): Promise<Set<string>>
  /** Whether a session has not been ended, as the transaction sees it. */
  isThere(tx: Tx, id: string): Promise<boolean>
  seen(id: string, at: number, ip: string): Promise<void>
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
    ...createSessionTable(database, 'session', { person: 'account_id', limits: sessionLimits }),
    byToken: (hash) => found.where('token_hash', '=', hash).executeTakeFirst(),
    async alive(ids, now) {
      if (!ids.length) return new Set()
      const rows = await db
        .selectFrom('session')
        .select('session.id')
        .where('session.id', 'in', [...ids])
        .where('session.expires_at', '>', now)
        .where('session.seen_at', '>', now - sessionLimits.idleMs)
        .execute()
      return new Set(rows.map((row) => row.id))
    },
    isThere: async (tx, id) => (await tx.selectFrom('session').select('id').where('id', '=', id).executeTakeFirst()) !== undefined,
    seen: async (id, at, ip) =>
      void (await writeAny(db.updateTable('session').set({ seen_at: at, ip }).where('id', '=', id).where('seen_at', '<', at))),
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
