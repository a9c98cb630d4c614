import { operatorLimits } from '#config-server/operators/operator.rules.ts'
import type { OperatorSessionRow } from '#config-server/operators/operators.migration.ts'
import { type Database, type Tx, writeAny } from '#server-kit/db/db.ts'
import { createSessionTable, type SessionTable } from '#server-kit/security/sessions.ts'

export interface OperatorSessionStore extends SessionTable<OperatorSessionRow> {
  byToken(hash: Buffer): Promise<OperatorSessionRow | undefined>
  byId(id: string): Promise<OperatorSessionRow | undefined>
  seen(id: string, at: number): Promise<void>
  setFresh(id: string, until: number): Promise<void>
  /** Ends those of programs, or those of browsers. @returns how many */
  endKind(tx: Tx, operator: number, program: boolean): Promise<number>
}

export function createOperatorSessionStore(database: Database): OperatorSessionStore {
  const { db } = database
  return {
    ...createSessionTable(database, 'config_operator_session', { person: 'operator_id', limits: operatorLimits }),
    byToken: (hash) => db.selectFrom('config_operator_session').selectAll().where('token_hash', '=', hash).executeTakeFirst(),
    byId: (id) => db.selectFrom('config_operator_session').selectAll().where('id', '=', id).executeTakeFirst(),
    seen: async (id, at) => void (await writeAny(db.updateTable('config_operator_session').set({ seen_at: at }).where('id', '=', id))),
    setFresh: async (id, until) =>
      void (await writeAny(db.updateTable('config_operator_session').set({ fresh_until: until }).where('id', '=', id))),
    endKind: (tx, operator, program) =>
      writeAny(tx.deleteFrom('config_operator_session').where('operator_id', '=', operator).where('program', '=', program)),
  }
}
