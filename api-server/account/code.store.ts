import type { CodeRow } from '#api-server/account/account.migration.ts'
import { type Asked, askAgain, codeLimits, verdict } from '#api-server/account/code.rules.ts'
import { type Database, type Tx, write, writeAny } from '#server-kit/db.ts'

export interface CodeStore {
  /** Notes that a code goes to this address now, unless it is too soon. Codes to one address go one after the other. */
  ask(tx: Tx, target: string, now: number): Promise<Asked>
  insert(tx: Tx, code: CodeRow): Promise<void>
  /**
   * Looks at the newest code of a scene and counts a wrong try.
   * @param target where it went; undefined: wherever the account got one
   * @returns the id of the row, for `use`
   */
  check(
    of: { scene: string; account: number; target?: string | undefined },
    matches: (row: CodeRow) => boolean,
    now: number,
  ): Promise<{ outcome: 'right'; id: string } | { outcome: 'code_wrong' | 'code_void' }>
  /** @returns false when it was used in the meantime */
  use(tx: Tx, id: string, now: number): Promise<boolean>
  removeOld(now: number): Promise<void>
}

/** Kept for so long after their end, for whoever looks into a complaint. */
const keptMs = 2 * codeLimits.dayMs

export function createCodeStore(database: Database): CodeStore {
  return {
    async ask(tx, target, now) {
      const empty = { target, sent: '[]', sent_at: 0 }
      // Made or locked by one statement: the sweep may remove the row between two.
      const [row] = await write(
        1,
        tx
          .insertInto('code_target')
          .values(empty)
          .onConflict((one) => one.column('target').doUpdateSet({ target }))
          .returning('sent'),
      )
      const asked = askAgain(row!.sent as number[], now)
      if (asked.outcome === 'send')
        await write(
          1,
          tx
            .updateTable('code_target')
            .set({ sent: JSON.stringify(asked.sent), sent_at: now })
            .where('target', '=', target),
        )
      return asked
    },
    insert: async (tx, code) => void (await write(1, tx.insertInto('code').values(code))),
    check: ({ scene, account, target }, matches, now) =>
      database.transaction(async (tx) => {
        const all = tx.selectFrom('code').selectAll().where('scene', '=', scene).where('account_id', '=', account)
        const row = await (target === undefined ? all : all.where('target', '=', target))
          .orderBy('sent_at', 'desc')
          .limit(1)
          .forUpdate()
          .executeTakeFirst()
        const outcome = verdict(row, row !== undefined && matches(row), now)
        if (!row) return { outcome: 'code_wrong' }
        if (outcome === 'right') return { outcome, id: row.id }
        await write(
          1,
          tx
            .updateTable('code')
            .set({ wrong: row.wrong + 1 })
            .where('id', '=', row.id),
        )
        return { outcome }
      }),
    use: async (tx, id, now) =>
      (await writeAny(tx.updateTable('code').set({ used_at: now }).where('id', '=', id).where('used_at', 'is', null))) === 1,
    async removeOld(now) {
      await writeAny(database.db.deleteFrom('code').where('sent_at', '<', now - keptMs))
      await writeAny(database.db.deleteFrom('code_target').where('sent_at', '<', now - keptMs))
    },
  }
}
