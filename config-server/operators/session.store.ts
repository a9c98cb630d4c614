import { operatorLimits } from '#config-server/operators/operator.rules.ts'
import type { OperatorSessionRow } from '#config-server/operators/operators.migration.ts'
import { type Database, type Tx, write, writeAny } from '#server-kit/db/db.ts'

export interface OperatorSessionStore {
  byToken(hash: Buffer): Promise<OperatorSessionRow | undefined>
  byId(id: string): Promise<OperatorSessionRow | undefined>
  /** Last used first. */
  list(operator: number): Promise<OperatorSessionRow[]>
  /** Beyond the limit the one that was used longest ago ends. */
  create(tx: Tx, session: OperatorSessionRow): Promise<void>
  seen(id: string, at: number): Promise<void>
  setFresh(id: string, until: number): Promise<void>
  /** @returns whether there was one */
  end(operator: number, id: string): Promise<boolean>
  /** @param but the session that stays */
  endAll(tx: Tx, operator: number, but?: string): Promise<number>
  removeOver(now: number): Promise<void>
}

export function createOperatorSessionStore(database: Database): OperatorSessionStore {
  const { db } = database
  return {
    byToken: (hash) => db.selectFrom('config_operator_session').selectAll().where('token_hash', '=', hash).executeTakeFirst(),
    byId: (id) => db.selectFrom('config_operator_session').selectAll().where('id', '=', id).executeTakeFirst(),
    list: (operator) =>
      db.selectFrom('config_operator_session').selectAll().where('operator_id', '=', operator).orderBy('seen_at', 'desc').execute(),
    async create(tx, session) {
      const surplus = tx
        .selectFrom('config_operator_session')
        .select('id')
        .where('operator_id', '=', session.operator_id)
        .orderBy('seen_at', 'desc')
        .offset(operatorLimits.sessionsPerOperatorMax - 1)
      await writeAny(tx.deleteFrom('config_operator_session').where('id', 'in', surplus))
      await write(1, tx.insertInto('config_operator_session').values(session))
    },
    seen: async (id, at) => void (await writeAny(db.updateTable('config_operator_session').set({ seen_at: at }).where('id', '=', id))),
    setFresh: async (id, until) =>
      void (await writeAny(db.updateTable('config_operator_session').set({ fresh_until: until }).where('id', '=', id))),
    end: async (operator, id) =>
      (await writeAny(db.deleteFrom('config_operator_session').where('operator_id', '=', operator).where('id', '=', id))) === 1,
    endAll(tx, operator, but) {
      const all = tx.deleteFrom('config_operator_session').where('operator_id', '=', operator)
      return writeAny(but === undefined ? all : all.where('id', '!=', but))
    },
    removeOver: async (now) =>
      void (await writeAny(
        db
          .deleteFrom('config_operator_session')
          .where((row) => row.or([row('expires_at', '<=', now), row('seen_at', '<=', now - operatorLimits.idleMs)])),
      )),
  }
}
