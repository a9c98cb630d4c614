import { sql } from 'kysely'
import type { ApprovalRow, DraftFileRow, DraftRow, ScheduleRow } from '#config-server/publishing/publishing.migration.ts'
import type { Draft, DraftFile, FlowRun, Rollout, Schedule } from '#language/publish/publishing.ts'
import { publishingLimits } from '#language/publish/publishing-limits.ts'
import { type Database, type Db, type Tx, write, writeAny } from '#server-kit/db/db.ts'

export type StoredDraft = Omit<DraftRow, 'hands' | 'rejection'> & { hands: string[]; rejection: Draft['rejection'] }
export interface DraftParts {
  row: StoredDraft
  paths: string[]
  approval: ApprovalRow | undefined
  /** The last one that was made, in any state. */
  schedule: Schedule | undefined
}

export interface DraftStore {
  insert(tx: Tx, row: Pick<DraftRow, 'name' | 'note' | 'base' | 'author' | 'created_at'>): Promise<number>
  /** @returns undefined where there is none */
  lock(tx: Tx, id: number): Promise<StoredDraft | undefined>
  change(tx: Tx, id: number, change: Partial<Omit<StoredDraft, 'id'>>): Promise<void>
  get(id: number): Promise<DraftParts | undefined>
  list(): Promise<DraftParts[]>
  /** Ids of the drafts that were not submitted yet. */
  unsubmitted(): Promise<number[]>
  /** Of everybody, or of one author. */
  openCount(tx: Tx, author?: string): Promise<number>

  /** Without their texts. */
  files(db: Db | Tx, draft: number): Promise<DraftFileRow[]>
  /** With texts, by path. */
  changed(draft: number): Promise<Record<string, DraftFile>>
  putFile(tx: Tx, row: DraftFileRow): Promise<void>
  dropFiles(tx: Tx, draft: number, paths: readonly string[]): Promise<void>

  approve(tx: Tx, row: ApprovalRow): Promise<void>
  unapprove(tx: Tx, draft: number): Promise<boolean>
  approval(tx: Tx, draft: number): Promise<ApprovalRow | undefined>

  schedule(tx: Tx, row: Omit<ScheduleRow, 'id' | 'state' | 'reason' | 'rollout'> & { rollout: Rollout | null }): Promise<number>
  /** Ends what waits, where `only` is given that one alone. @returns false when nothing did */
  endSchedule(tx: Tx, draft: number, state: Schedule['state'], reason: string, only?: number): Promise<boolean>
  due(now: number): Promise<{ id: number; draft: number; hash: string; by: string; note: string; rollout: Rollout | null }[]>

  keepRun(tx: Tx, run: FlowRun, at: number): Promise<void>
  run(hash: string): Promise<FlowRun | null>
}

const closed = ['published', 'dropped'] as const
const storedOf = (row: DraftRow): StoredDraft => ({ ...row, hands: row.hands as string[], rejection: row.rejection as Draft['rejection'] })
const scheduleOf = ({ id, draft, hash, at, by_name: by, rollout, state, reason }: ScheduleRow): Schedule => ({
  id,
  draft,
  hash,
  at,
  by,
  state,
  reason,
  rollout: rollout as Rollout | null,
})
export const approvalOf = (row: ApprovalRow): NonNullable<Draft['approval']> => ({
  hash: row.hash,
  by: row.by_name,
  at: row.at,
  note: row.note,
  unrunFlows: row.unrun_flows,
})

export function createDraftStore(database: Database): DraftStore {
  const { db } = database
  async function withParts(rows: readonly DraftRow[]): Promise<DraftParts[]> {
    const ids = rows.map((row) => row.id)
    if (!ids.length) return []
    const files = await db.selectFrom('config_draft_file').select(['draft', 'path']).where('draft', 'in', ids).orderBy('path').execute()
    const approvals = await db.selectFrom('config_approval').selectAll().where('draft', 'in', ids).execute()
    const schedules = await db.selectFrom('config_schedule').selectAll().where('draft', 'in', ids).orderBy('id').execute()
    const paths = (draft: number) => files.flatMap((file) => (file.draft === draft ? [file.path] : []))
    return rows.map((row) => {
      const schedule = schedules.findLast((one) => one.draft === row.id)
      return {
        row: storedOf(row),
        paths: paths(row.id),
        approval: approvals.find((one) => one.draft === row.id),
        schedule: schedule && scheduleOf(schedule),
      }
    })
  }

  return {
    async insert(tx, row) {
      const values = { ...row, state: 'open', updated_at: row.created_at, hands: JSON.stringify([row.author]) } as DraftRow
      const [made] = await write(1, tx.insertInto('config_draft').values(values).returning('id'))
      return made!.id
    },
    async lock(tx, id) {
      const row = await tx.selectFrom('config_draft').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
      return row && storedOf(row)
    },
    async change(tx, id, { hands, rejection, ...rest }) {
      const change: Partial<DraftRow> = {
        ...rest,
        ...(hands && { hands: JSON.stringify(hands) }),
        ...(rejection !== undefined && { rejection: rejection && JSON.stringify(rejection) }),
      }
      await write(1, tx.updateTable('config_draft').set(change).where('id', '=', id))
    },
    async get(id) {
      return (await withParts(await db.selectFrom('config_draft').selectAll().where('id', '=', id).execute()))[0]
    },
    list: async () =>
      withParts(
        await db
          .selectFrom('config_draft')
          .selectAll()
          .where('state', '!=', 'dropped')
          .orderBy('updated_at', 'desc')
          .orderBy('id', 'desc')
          .limit(publishingLimits.draftsListed)
          .execute(),
      ),
    unsubmitted: async () =>
      (await db.selectFrom('config_draft').select('id').where('state', '=', 'open').orderBy('id').execute()).map(({ id }) => id),
    async openCount(tx, author) {
      const row = await tx
        .selectFrom('config_draft')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('state', 'not in', closed)
        .$if(author !== undefined, (all) => all.where('author', '=', author!))
        .executeTakeFirstOrThrow()
      return Number(row.count)
    },

    files: (from, draft) => from.selectFrom('config_draft_file').selectAll().where('draft', '=', draft).orderBy('path').execute(),
    async changed(draft) {
      const rows = await db
        .selectFrom('config_draft_file as file')
        .leftJoin('config_text as text', 'text.sha256', 'file.sha256')
        .select(['file.path', 'text.text', 'file.version', 'file.base_sha', 'file.by_name', 'file.at'])
        .where('file.draft', '=', draft)
        .orderBy('file.path')
        .execute()
      return Object.fromEntries(
        rows.map(({ path, text, version, base_sha: baseSha, by_name: by, at }) => [path, { path, text, version, baseSha, by, at }]),
      )
    },
    async putFile(tx, row) {
      const { draft: _, path: __, ...change } = row
      await write(
        1,
        tx
          .insertInto('config_draft_file')
          .values(row)
          .onConflict((conflict) => conflict.columns(['draft', 'path']).doUpdateSet(change)),
      )
    },
    async dropFiles(tx, draft, paths) {
      if (!paths.length) return
      await write(
        paths.length,
        tx
          .deleteFrom('config_draft_file')
          .where('draft', '=', draft)
          .where('path', 'in', [...paths]),
      )
    },

    approve: async (tx, row) => void (await write(1, tx.insertInto('config_approval').values(row))),
    unapprove: async (tx, draft) => (await writeAny(tx.deleteFrom('config_approval').where('draft', '=', draft))) > 0,
    approval: (tx, draft) => tx.selectFrom('config_approval').selectAll().where('draft', '=', draft).executeTakeFirst(),

    async schedule(tx, { rollout, ...row }) {
      const values = { ...row, state: 'waiting', rollout: rollout && JSON.stringify(rollout) } as ScheduleRow
      const [made] = await write(1, tx.insertInto('config_schedule').values(values).returning('id'))
      return made!.id
    },
    async endSchedule(tx, draft, state, reason, only) {
      const waiting = tx.updateTable('config_schedule').set({ state, reason }).where('draft', '=', draft).where('state', '=', 'waiting')
      return (await writeAny(only === undefined ? waiting : waiting.where('id', '=', only))) > 0
    },
    async due(now) {
      const rows = await db
        .selectFrom('config_schedule')
        .selectAll()
        .where('state', '=', 'waiting')
        .where('at', '<=', now)
        .orderBy('at')
        .orderBy('id')
        .execute()
      return rows.map((row) => ({ ...row, by: row.by_name, rollout: row.rollout as Rollout | null }))
    },

    async keepRun(tx, run, at) {
      const row = { hash: run.hash, run: JSON.stringify(run), at }
      await write(
        1,
        tx
          .insertInto('config_flow_run')
          .values(row)
          .onConflict((conflict) => conflict.column('hash').doUpdateSet({ run: row.run, at })),
      )
    },
    async run(hash) {
      const row = await db.selectFrom('config_flow_run').select(sql<FlowRun>`run`.as('run')).where('hash', '=', hash).executeTakeFirst()
      return row?.run ?? null
    },
  }
}
