import type { CodeRow } from '#api-server/account/account.migration.ts'
import { type Asked, askAgain, type Count, codeLimits, verdict } from '#api-server/account/codes/code.rules.ts'
import { type Database, type Tx, write, writeAny } from '#server-kit/db/db.ts'

interface LookedFor {
  scene: string
  account: number
  /** Where it went; undefined: wherever the account got one. */
  target?: string | undefined
  /** The asker who may use it; undefined: the account, which is logged in. */
  asker?: { ticket: Buffer } | { range: Buffer } | undefined
}

interface CodeStore {
  /** Counts a code as sent now, unless one of the counts refuses; then none has counted it. Requests of one count wait for each other. */
  ask(tx: Tx, counts: readonly Count[], now: number): Promise<Asked>
  insert(tx: Tx, code: CodeRow): Promise<void>
  /**
   * Looks at the newest code of a scene and counts a wrong guess.
   * @returns the id of the row, for `use`
   */
  check(
    of: LookedFor,
    matches: (row: CodeRow) => boolean,
    now: number,
  ): Promise<{ outcome: 'right'; id: string } | { outcome: 'code_wrong' | 'code_void' }>
  /** @returns false when it was used in the meantime */
  use(tx: Tx, id: string, now: number): Promise<boolean>
  removeOld(now: number): Promise<void>
}

/** Kept for so long after their end, for the investigation of complaints. */
const keptMs = 2 * codeLimits.dayMs

export function createCodeStore(database: Database): CodeStore {
  return {
    async ask(tx, counts, now) {
      let last: Asked = { outcome: 'send', sent: [] }
      const passed: { subject: string; sent: number[] }[] = []
      for (const { subject, ...limits } of counts) {
        const empty = { subject, sent: '[]', sent_at: 0 }
        // Made or locked by one statement: the sweep may remove the row between two.
        const [row] = await write(
          1,
          tx
            .insertInto('code_count')
            .values(empty)
            .onConflict((one) => one.column('subject').doUpdateSet({ subject }))
            .returning('sent'),
        )
        last = askAgain(row!.sent as number[], now, limits)
        if (last.outcome !== 'send') return last
        passed.push({ subject, sent: last.sent })
      }
      for (const { subject, sent } of passed)
        await write(
          1,
          tx
            .updateTable('code_count')
            .set({ sent: JSON.stringify(sent), sent_at: now })
            .where('subject', '=', subject),
        )
      return last
    },
    insert: async (tx, code) => void (await write(1, tx.insertInto('code').values(code))),
    check: ({ scene, account, target, asker }, matches, now) =>
      database.transaction(async (tx) => {
        let found = tx.selectFrom('code').selectAll().where('scene', '=', scene).where('account_id', '=', account)
        if (target !== undefined) found = found.where('target', '=', target)
        if (asker) found = 'ticket' in asker ? found.where('ticket', '=', asker.ticket) : found.where('range', '=', asker.range)
        const row = await found.orderBy('sent_at', 'desc').limit(1).forUpdate().executeTakeFirst()
        if (!row) return { outcome: 'code_wrong' }
        // Guesses without the ticket are counted apart, so that they do not void the code for who has the ticket.
        const counted = asker && 'range' in asker ? 'wrong_without_ticket' : 'wrong'
        const outcome = verdict({ ...row, wrong: row[counted] }, matches(row), now)
        if (outcome === 'right') return { outcome, id: row.id }
        await write(
          1,
          tx
            .updateTable('code')
            .set({ [counted]: row[counted] + 1 })
            .where('id', '=', row.id),
        )
        return { outcome }
      }),
    use: async (tx, id, now) =>
      (await writeAny(tx.updateTable('code').set({ used_at: now }).where('id', '=', id).where('used_at', 'is', null))) === 1,
    async removeOld(now) {
      await writeAny(database.db.deleteFrom('code').where('sent_at', '<', now - keptMs))
      await writeAny(database.db.deleteFrom('code_count').where('sent_at', '<', now - keptMs))
    },
  }
}
