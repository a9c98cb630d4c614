import { sql } from 'kysely'
import type { BackOfficeAuditRow } from '#api-server/back-office/back-office.migration.ts'
import { aboutShownChanges } from '#api-server/kit/office.migration.ts'
import type { BackOfficeAction } from '#contract/calls/office.rows.ts'
import { clip } from '#contract/characters.ts'
import { type AuditLog, createAuditLog } from '#server-kit/db/audit-log.ts'
import type { Database, Tx } from '#server-kit/db/db.ts'
import { anywhere, namesOne } from '#server-kit/db/like.ts'
import type { Operator } from '#server-kit/http/http.ts'
import { pageOf } from '#server-kit/http/list-bounds.ts'

/** The log entry for an action of an operator. */
export interface BackOfficeNote {
  action: BackOfficeAction
  /** The subject of the action: recharge:12, customer:100001. */
  subject: string
  /** In words; what operators typed, or the value before and after. Never a name, number or address of a customer. */
  detail: string
}

/** Texts are found in any part and in any case. */
interface BackOfficeAuditFilter {
  operator?: string | undefined
  /** Part of an action: recharge, approve. */
  action?: string | undefined
  /** One subject (`recharge 12`), or part of a subject or of its detail. */
  subject?: string | undefined
  /** Only rows with a smaller id. */
  before?: number | undefined
}

export interface BackOfficeAuditStore extends Pick<AuditLog<BackOfficeAuditRow>, 'verify'> {
  /** The last thing that a transaction does: from here to its end every other one that logs waits. */
  append(tx: Tx, operator: Operator, note: BackOfficeNote, at: number): Promise<void>
  /** Number of the last row about settings, terms, hours, halts or offers, which pages show; 0 for none. */
  lastChange(): Promise<number>
  /** Newest first. @param page from 1 on */
  page(filter: BackOfficeAuditFilter, page: number, size: number): Promise<{ list: BackOfficeAuditRow[]; total: number }>
}

/** Details of terms and hours have several thousand characters at most; what people type is shorter. */
const textMax = 10_000

/** Text of a row that is hashed into the chain. */
const saidIn = ({ id, at, operator_id, operator, action, subject, detail }: Omit<BackOfficeAuditRow, 'chain'>): string =>
  JSON.stringify([id, at, operator_id, operator, action, subject, detail])

export function createBackOfficeAuditStore(database: Database): BackOfficeAuditStore {
  const { db } = database
  const log = createAuditLog<BackOfficeAuditRow>(database, { table: 'desk_audit', turn: 'backOfficeLog', said: saidIn })
  return {
    verify: log.verify,
    append: (tx, { id: operator_id, name: operator }, { action, subject, detail }, at) =>
      log.append(tx, { at, operator_id, operator, action, subject, detail: clip(detail, textMax) }),
    async lastChange() {
      const row = await db.selectFrom('desk_audit').select('id').where(aboutShownChanges).orderBy('id', 'desc').limit(1).executeTakeFirst()
      return row?.id ?? 0
    },
    async page({ operator, action, subject, before }, page, size) {
      let all = db.selectFrom('desk_audit')
      if (before !== undefined) all = all.where('id', '<', before)
      if (operator) all = all.where('operator', 'ilike', anywhere(operator))
      if (action) all = all.where(sql<string>`action`, 'ilike', anywhere(action))
      if (subject && namesOne(subject)) all = all.where('subject', '=', subject.trim().toLowerCase())
      else if (subject)
        all = all.where((row) => row.or([row('subject', 'ilike', anywhere(subject)), row('detail', 'ilike', anywhere(subject))]))
      const { rows: list, total } = await pageOf(db, all.selectAll().orderBy('id', 'desc'), { page, size }, null)
      return { list, total }
    },
  }
}
