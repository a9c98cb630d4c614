import { type Database, write, writeAny } from '#server-kit/db/db.ts'
import { guardLimits, takeTurn } from '#server-kit/security/guard.rules.ts'

/** Counts tries at a secret, across nodes. `subject` names whose and which secret. */
export interface GuardStore {
  /** @returns how long to wait in ms; 0: the try is counted and may be made */
  take(subject: string, now: number): Promise<number>
  /** The try was right as far as it went: it does not count, those before it do. */
  giveBack(subject: string): Promise<void>
  /** All was right. */
  clear(subject: string): Promise<void>
  removeOld(now: number): Promise<void>
}

export function createGuardStore(database: Database): GuardStore {
  const { db } = database
  return {
    take: (subject, now) =>
      database.transaction(async (tx) => {
        const empty = { subject, tries: '[]', tried_at: now }
        // Made or locked by one statement: a success of somebody else may remove the row between two.
        const [row] = await write(
          1,
          tx
            .insertInto('guard')
            .values(empty)
            .onConflict((one) => one.column('subject').doUpdateSet({ subject }))
            .returning('tries'),
        )
        const turn = takeTurn(row!.tries as number[], now)
        if (!turn.allowed) return turn.waitMs
        await write(
          1,
          tx
            .updateTable('guard')
            .set({ tries: JSON.stringify(turn.tries), tried_at: now })
            .where('subject', '=', subject),
        )
        return 0
      }),
    giveBack: (subject) =>
      database.transaction(async (tx) => {
        const row = await tx.selectFrom('guard').select('tries').where('subject', '=', subject).forUpdate().executeTakeFirst()
        if (!row) return
        const tries = JSON.stringify((row.tries as number[]).slice(0, -1))
        await write(1, tx.updateTable('guard').set({ tries }).where('subject', '=', subject))
      }),
    clear: async (subject) => void (await writeAny(db.deleteFrom('guard').where('subject', '=', subject))),
    removeOld: async (now) => void (await writeAny(db.deleteFrom('guard').where('tried_at', '<', now - guardLimits.windowMs))),
  }
}
