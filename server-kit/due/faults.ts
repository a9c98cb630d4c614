import { randomInt } from 'node:crypto'
import type { Selectable } from 'kysely'
import { clip } from '#contract/characters.ts'
import { type Database, type Tables, type Tx, writeAny } from '#server-kit/db/db.ts'
import { dueLimits, retryAfterMs } from '#server-kit/due/due.rules.ts'
import { type PageAsk, pageOf } from '#server-kit/http/list-bounds.ts'

/** An error in words. The message about a wrong value may hold anything that a customer has typed, so that its class is named alone. */
function faultOf(error: unknown): string {
  const { message, code } = (error ?? {}) as { message?: unknown; code?: unknown }
  if (typeof code === 'string' && /^22[0-9A-Z]{3}$/.test(code)) return `the database refused a value (${code})`
  return typeof message === 'string' ? message : String(error)
}

export type DueFault = Selectable<Tables['due_fault']>

export const createFaultStore = ({ db }: Pick<Database, 'db'>) => ({
  of: (job: string): Promise<DueFault[]> => db.selectFrom('due_fault').selectAll().where('job', '=', job).execute(),

  /**
   * Notes one more failure of a row. No effect when another node has noted one since.
   * @param before failures so far
   * @returns whether the row is given up with it
   */
  async note(
    tx: Tx,
    job: string,
    key: string,
    { before, error, now, firstMs }: { before: number; error: unknown; now: number; firstMs: number },
  ) {
    const tries = before + 1
    const wait = retryAfterMs(tries, randomInt(1_000) / 1_000, firstMs)
    const fault = clip(faultOf(error), dueLimits.faultLengthMax)
    const row = { tries, next_at: now + (wait ?? 0), dead: wait === undefined, fault, failed_at: now }
    const noted = await writeAny(
      tx
        .insertInto('due_fault')
        .values({ ...row, job, key })
        .onConflict((on) =>
          on.columns(['job', 'key']).doUpdateSet(row).where('due_fault.tries', '=', before).where('due_fault.dead', '=', false),
        ),
    )
    return noted === 1 && row.dead
  },

  /** The rows are done: nothing is left to try. */
  clear: (to: Database['db'] | Tx, job: string, keys: readonly string[]) =>
    keys.length ? writeAny(to.deleteFrom('due_fault').where('job', '=', job).where('key', 'in', keys)) : Promise.resolve(0),
})

/** A due row that was given up. */
export interface DeadRow {
  id: number
  job: string
  /** Name of the row within its job. */
  key: string
  tries: number
  /** Message of the last error. */
  fault: string
  /** ms UTC of the last failure. */
  failed: number
}

/** Due rows that were given up, for operators. */
export const createDeadRows = ({ db }: Pick<Database, 'db'>) => ({
  /** Newest first. */
  async page(page: PageAsk): Promise<{ list: DeadRow[]; total: number }> {
    const dead = db.selectFrom('due_fault').where('dead', '=', true).selectAll()
    const { rows, total } = await pageOf(db, dead.orderBy('failed_at', 'desc').orderBy('id', 'desc'), page)
    return { list: rows.map(({ id, job, key, tries, fault, failed_at: failed }) => ({ id, job, key, tries, fault, failed })), total }
  },
  /** Has a row tried again at once, on whichever node. @returns the row; undefined where it is not dead, or no longer there */
  async retry(tx: Tx, id: number): Promise<Pick<DeadRow, 'job' | 'key' | 'fault'> | undefined> {
    const asked = tx.updateTable('due_fault').set({ dead: false, tries: 0, next_at: 0 }).where('id', '=', id).where('dead', '=', true)
    return asked.returning(['job', 'key', 'fault']).executeTakeFirst()
  },
})
