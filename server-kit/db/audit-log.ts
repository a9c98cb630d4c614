import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { wellFormed } from '#contract/characters.ts'
import { type Database, type Tables, type Tx, takeTurnIn, type turns, write } from '#server-kit/db/db.ts'

/** The columns that each row of a hash-chained log has; the other columns belong to the log. Ids count from 1 without a gap. */
export interface ChainedRow {
  id: number
  /** sha256 over the chain of the row before and what this row says. */
  chain: string
}
export interface AuditVerdict {
  ok: boolean
  /** How many rows were looked at. */
  rows: number
  /** Id of the first row that is not what it was, or that follows on one that is gone. */
  brokenAt: number | null
}
export interface AuditLog<Row extends ChainedRow> {
  /**
   * The last thing that a transaction does: from here to its end every other one that adds to this log waits.
   * @param row values as they are stored; json columns as text. Halves of characters become U+FFFD, as the database stores them.
   */
  append(tx: Tx, row: Omit<Row, keyof ChainedRow>): Promise<void>
  verify(): Promise<AuditVerdict>
}
interface AuditLogOptions<Row> {
  /** Its database refuses to change or remove rows of this table. */
  table: keyof Tables
  turn: keyof typeof turns
  /**
   * Returns the text of a row that is chained: the same for a row that is about to be stored and for one that was read. Each log has a form
   * of its own, and keeps it: rows are compared with it for years.
   */
  said(row: Omit<Row, 'chain'>): string
}

/** The chain value before the first row. */
export const chainStart = '0'.repeat(64)

const verifyRowsAtOnce = 2_000

export const chainOf = (before: string, said: string): string => createHash('sha256').update(`${before}\n${said}`).digest('hex')

/** @returns the id of the first row that is not what it was, or that follows on one that is gone; undefined when all are whole */
export function firstBroken<Row extends ChainedRow>(
  rows: readonly Row[],
  said: (row: Row) => string,
  before: ChainedRow = { id: 0, chain: chainStart },
): number | undefined {
  let last = before
  for (const row of rows) {
    if (row.id !== last.id + 1 || row.chain !== chainOf(last.chain, said(row))) return row.id
    last = row
  }
  return undefined
}

export function createAuditLog<Row extends ChainedRow>(database: Database, { table, turn, said }: AuditLogOptions<Row>): AuditLog<Row> {
  const name = sql.table(table)
  return {
    async append(tx, values) {
      await takeTurnIn(database, tx, turn)
      const { rows } = await sql<ChainedRow>`select id, chain from ${name} order by id desc limit 1`.execute(tx)
      const stored = Object.entries(values).map(([column, value]) => [column, typeof value === 'string' ? wellFormed(value) : value])
      const row = { ...Object.fromEntries(stored), id: (rows[0]?.id ?? 0) + 1 } as Omit<Row, 'chain'>
      const all = { ...row, chain: chainOf(rows[0]?.chain ?? chainStart, said(row)) }
      const columns = sql.join(Object.keys(all).map((column) => sql.ref(column)))
      const added = sql`insert into ${name} (${columns}) values (${sql.join(Object.values(all))}) returning id`
      await write(1, { execute: async () => (await added.execute(tx)).rows })
    },
    async verify() {
      let before: ChainedRow = { id: 0, chain: chainStart }
      for (;;) {
        const page = sql<Row>`select * from ${name} where id > ${before.id} order by id limit ${verifyRowsAtOnce}`
        const { rows } = await page.execute(database.db)
        const brokenAt = firstBroken(rows, said, before)
        if (brokenAt !== undefined) return { ok: false, rows: before.id + rows.length, brokenAt }
        const last = rows.at(-1)
        if (!last) return { ok: true, rows: before.id, brokenAt: null }
        before = last
      }
    },
  }
}
