import { sql } from 'kysely'
import type { Actor, AuditEntry, AuditFilter, NamedAuditRow } from '#config-server/publishing/publishing.ts'
import { clip, wellFormed } from '#contract/characters.ts'
import { canonical } from '#language/publish/canonical.ts'
import type { AuditRow, DraftStep } from '#language/publish/publishing.ts'
import { publishingLimits } from '#language/publish/publishing-limits.ts'
import { type AuditLog, createAuditLog } from '#server-kit/db/audit-log.ts'
import type { Database, Tables, Tx } from '#server-kit/db/db.ts'
import { anywhere, namesOne } from '#server-kit/db/like.ts'

type StoredRow = Tables['config_audit']

export interface AuditStore extends Pick<AuditLog<StoredRow>, 'verify'> {
  /** The last thing that a transaction does: from here to its end every other one that logs waits. */
  append(tx: Tx, actor: Pick<Actor, 'name'>, entry: AuditEntry, at: number): Promise<void>
  row(id: number): Promise<NamedAuditRow | undefined>
  page(filter: AuditFilter): Promise<{ rows: NamedAuditRow[]; total: number }>
  /** Rows about a draft, the newest first, without its saves. */
  stepsOf(draft: number): Promise<DraftStep[]>
}

const rowOf = (row: StoredRow): AuditRow => ({
  id: row.id,
  at: row.at,
  actor: row.actor,
  action: row.action,
  subject: row.subject,
  fromHash: row.from_hash,
  toHash: row.to_hash,
  reason: row.reason,
  detail: row.detail as Record<string, unknown>,
  chain: row.chain,
})

/**
 * Returns the text of a row that its chain covers. Its json column does not keep blanks and the order of members: it is read before it is
 * said.
 */
export function saidIn({ id, at, actor, action, subject, from_hash, to_hash, reason, detail: kept }: Omit<StoredRow, 'chain'>): string {
  const detail = typeof kept === 'string' ? (JSON.parse(kept) as unknown) : kept
  return canonical({ id, at, actor, action, subject, fromHash: from_hash, toHash: to_hash, reason, detail })
}

function boundedDetail(detail: Record<string, unknown>): string {
  // A text in JSON would keep half a character as an escape, which the database refuses.
  const text = JSON.stringify(detail, (_, value: unknown) => (typeof value === 'string' ? wellFormed(value) : value))
  return text.length <= publishingLimits.auditDetailLengthMax ? text : JSON.stringify({ length: text.length })
}

export function createAuditStore(database: Database): AuditStore {
  const { db } = database
  async function named(rows: readonly StoredRow[]): Promise<NamedAuditRow[]> {
    const ids = [...new Set(rows.flatMap(({ subject }) => /^draft (\d{1,15})$/.exec(subject)?.[1] ?? []))].map(Number)
    const drafts = ids.length > 0 ? await db.selectFrom('config_draft').select(['id', 'name']).where('id', 'in', ids).execute() : []
    const names = new Map(drafts.map(({ id, name }) => [`draft ${id}`, name]))
    return rows.map((row) => ({ ...rowOf(row), name: names.get(row.subject) ?? '' }))
  }
  const log = createAuditLog<StoredRow>(database, { table: 'config_audit', turn: 'publishingLog', said: saidIn })
  return {
    verify: log.verify,
    append: (tx, actor, entry, at) =>
      log.append(tx, {
        at,
        actor: actor.name,
        action: clip(entry.action, publishingLimits.actionLengthMax),
        subject: clip(entry.subject, publishingLimits.subjectLengthMax),
        from_hash: entry.fromHash ?? null,
        to_hash: entry.toHash ?? null,
        reason: clip(entry.reason ?? '', publishingLimits.noteLengthMax),
        detail: boundedDetail(entry.detail ?? {}),
      }),
    async row(id) {
      const row = await db.selectFrom('config_audit').selectAll().where('id', '=', id).executeTakeFirst()
      return row && (await named([row]))[0]
    },
    async page({ actor, action, subject, from, to, before, offset = 0, limit = publishingLimits.auditPage }) {
      let all = db.selectFrom('config_audit')
      if (actor) all = all.where('actor', 'ilike', anywhere(actor))
      if (action) all = all.where('action', 'ilike', anywhere(action))
      if (subject && namesOne(subject)) all = all.where('subject', '=', subject.trim().toLowerCase())
      else if (subject) {
        const part = anywhere(subject)
        const ofDraft = db.selectFrom('config_draft').select(sql<string>`'draft ' || id`.as('subject')).where('name', 'ilike', part)
        all = all.where((row) =>
          row.or([
            row('subject', 'ilike', part),
            row('action', 'ilike', part),
            row('subject', 'in', ofDraft),
            row('reason', 'ilike', part),
            row(sql<string>`detail ->> 'path'`, 'ilike', part),
          ]),
        )
      }
      if (from !== undefined) all = all.where('at', '>=', from)
      if (to !== undefined) all = all.where('at', '<', to)
      const { total } = await all.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
      const page = before === undefined ? all : all.where('id', '<', before)
      const most = Math.min(Math.max(1, limit), publishingLimits.auditPageMax)
      const rows = await page.selectAll().orderBy('id', 'desc').offset(offset).limit(most).execute()
      return { rows: await named(rows), total: Number(total) }
    },
    stepsOf: async (draft) =>
      (
        await db
          .selectFrom('config_audit')
          .selectAll()
          .where('subject', '=', `draft ${draft}`)
          .where('action', 'not in', ['draft.save', 'draft.revert', 'draft.flows', 'draft.refused'])
          .orderBy('id', 'desc')
          .limit(publishingLimits.historyRows)
          .execute()
      ).map(({ id, at, actor, action, reason, detail }) => ({ id, at, actor, action, reason, detail: detail as Record<string, unknown> })),
  }
}
