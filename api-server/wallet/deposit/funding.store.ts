import { type Insertable, type Selectable, sql } from 'kysely'
import type { Decision } from '#api-server/kit/decision.ts'
import { type FundingStatus, type FundingType, refundedStates } from '#api-server/wallet/deposit/funding.rules.ts'
import type { FundingRow } from '#api-server/wallet/wallet.migration.ts'
import type { rechargeStates } from '#contract/calls/funding.calls.ts'
import { exact } from '#contract/money.ts'
import { type Database, type Db, type Tx, write } from '#server-kit/db/db.ts'
import { countOf, pageOf } from '#server-kit/http/list-bounds.ts'

export type Funding = Selectable<FundingRow>
const later = { reason: '', reference: '', approved_by: '', approved_by_id: null, decided_by: '' }
export type NewFunding = Omit<Insertable<FundingRow>, 'id' | 'changed_at' | keyof typeof later>
interface FundingFilter {
  id?: number | undefined
  type?: FundingType | undefined
  /** Empty for all states. */
  statuses?: readonly FundingStatus[]
  /** Only records of these customers. */
  uids?: readonly number[] | undefined
  currency?: number | undefined
}
export interface Page {
  page: number
  size: number
}
export interface Step {
  id: number
  at: number
  status: FundingStatus
  by: string
  note: string
}

/** Another deposit with the same picture. */
export interface SamePicture {
  id: number
  uid: number
  status: (typeof rechargeStates)[number]
}
const sameShownMax = 5

/** A step that no operator takes. */
interface OwnMove {
  tx: Tx
  at: number
  by: 'customer' | 'demo'
}
export type FundingChange = Partial<Pick<Funding, 'status' | 'reason' | 'reference' | 'approved_by' | 'approved_by_id' | 'decided_by'>>

/** Deposits and withdrawals with their steps. */
export interface FundingStore {
  /** @param marks keyed hashes of the vouchers */
  create(tx: Tx, row: NewFunding, by: string, marks?: readonly string[]): Promise<Funding>
  /** Reads a record with a row lock until the end of the transaction. */
  lock(tx: Tx, id: number): Promise<Funding | undefined>
  /** Changes the state, provided that the record is still in the state of `before`, and writes the step. */
  move(mover: Decision | OwnMove, before: Funding, change: FundingChange, note: string): Promise<Funding>
  one(id: number, tx?: Tx): Promise<Funding | undefined>
  find(filter: FundingFilter, page: Page): Promise<{ rows: Funding[]; total: number }>
  /** Steps of a record, oldest first. */
  steps(id: number): Promise<Step[]>
  /** For each deposit, a few other deposits with one of its pictures, latest first. */
  samePictures(ids: readonly number[], tx?: Tx): Promise<Map<number, SamePicture[]>>
  openRecharges(tx: Tx, uid: number): Promise<number>
  /**
   * Worth in BTC of withdrawals requested after `since` and not refunded. Requests with a time after now, from before a clock was set back,
   * count too.
   */
  usedBtc(uid: number, since: number, tx?: Tx): Promise<string>
}

export function createFundingStore({ db }: Database): FundingStore {
  const step = (tx: Tx, funding_id: number, { at, status, by, note }: Omit<Step, 'id'>) =>
    write(1, tx.insertInto('funding_step').values({ funding_id, at, status, by, note }))

  function matching(from: Db | Tx, { id, type, statuses, uids, currency }: FundingFilter) {
    let found = from.selectFrom('funding')
    if (id !== undefined) found = found.where('id', '=', id)
    if (type) found = found.where('type', '=', type)
    if (statuses?.length) found = found.where('status', 'in', statuses)
    if (uids) found = uids.length ? found.where('uid', 'in', uids) : found.where(sql<boolean>`false`)
    if (currency !== undefined) found = found.where('currency_id', '=', currency)
    return found
  }

  return {
    async create(tx, row, by, marks = []) {
      const [made] = await write(
        1,
        tx
          .insertInto('funding')
          .values({ ...later, ...row, changed_at: row.created_at })
          .returningAll(),
      )
      await step(tx, made!.id, { at: row.created_at, status: row.status, by, note: '' })
      if (marks.length)
        await write(marks.length, tx.insertInto('funding_picture').values(marks.map((mark) => ({ mark, funding_id: made!.id }))))
      return made!
    },
    lock: (tx, id) => tx.selectFrom('funding').selectAll().where('id', '=', id).forUpdate().executeTakeFirst(),
    async move({ tx, at, by }, before, change, note) {
      const [after] = await write(
        1,
        tx
          .updateTable('funding')
          // Apps order the states of a record by this time, so it never decreases, even when the clock is set back.
          .set({ ...change, changed_at: Math.max(at, before.changed_at) })
          .where('id', '=', before.id)
          .where('status', '=', before.status)
          .returningAll(),
      )
      await step(tx, before.id, { at, status: after!.status, by, note })
      return after!
    },
    one: (id, tx) => (tx ?? db).selectFrom('funding').selectAll().where('id', '=', id).executeTakeFirst(),
    find: (filter, page) => pageOf(db, matching(db, filter).selectAll().orderBy('id', 'desc'), page, null),
    steps: (id) =>
      db.selectFrom('funding_step').select(['id', 'at', 'status', 'by', 'note']).where('funding_id', '=', id).orderBy('id').execute(),
    async samePictures(ids, tx) {
      const same = new Map<number, SamePicture[]>(ids.map((id) => [id, []]))
      if (!ids.length) return same
      const { rows } = await sql<SamePicture & { of: number }>`select q.id as of, other.id, other.uid, other.status from funding q
        cross join lateral (select distinct f.id, f.uid, f.status from funding_picture own
          join funding_picture p on p.mark = own.mark and p.funding_id <> own.funding_id join funding f on f.id = p.funding_id
          where own.funding_id = q.id order by f.id desc limit ${sameShownMax}) other
        where q.id in (${sql.join([...ids])}) order by q.id, other.id desc`.execute(tx ?? db)
      for (const { of, ...other } of rows) same.get(of)?.push(other)
      return same
    },
    openRecharges: (tx, uid) => countOf(tx, matching(tx, { type: 'recharge', statuses: ['reviewing'], uids: [uid] })),
    async usedBtc(uid, since, tx) {
      const { used } = await matching(tx ?? db, { type: 'withdraw', uids: [uid] })
        .where('created_at', '>', since)
        .where('status', 'not in', refundedStates)
        .select(sql<string>`coalesce(sum(btc), 0)::text`.as('used'))
        .executeTakeFirstOrThrow()
      return exact(used)
    },
  }
}
