import { sql } from 'kysely'
import { createPeople } from '#api-server/account/people.reads.ts'
import type { FollowContext } from '#api-server/follow/context.ts'
import type { Application } from '#api-server/follow/follow.store.ts'
import type { TraderReviewFilter, TraderReviewRow, TraderReviews } from '#api-server/follow/review.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Tx } from '#server-kit/db/db.ts'

const count = sql<number>`count(*)::int`.as('n')

/** Applications of traders at the back office, see review.ts. */
export function createReviews({ database, store, proofs, clock }: FollowContext): TraderReviews {
  const { db } = database
  const people = createPeople(database)

  async function matching({ status, search }: Pick<TraderReviewFilter, 'status' | 'search'>) {
    let query = db.selectFrom('trader_application')
    if (status !== 'all') query = query.where('status', '=', status)
    if (search?.trim()) {
      const uids = await people.find(search)
      query = uids.length ? query.where('uid', 'in', uids) : query.where(sql<boolean>`false`)
    }
    return { query }
  }
  async function rowsOf(rows: readonly Application[], tx?: Tx): Promise<TraderReviewRow[]> {
    const of = await people.byIds([...new Set(rows.map(({ uid }) => uid))], tx)
    return rows.flatMap(({ note: _, nickname: trader_name, ...row }) => {
      const person = of.get(row.uid)
      if (!person) return []
      const { nickname, contact, level, demo } = person
      return [{ ...row, trader_name, nickname, contact, level, demo }]
    })
  }
  async function only(id: number, tx?: Tx): Promise<TraderReviewRow> {
    const rows = await (tx ?? db).selectFrom('trader_application').selectAll().where('id', '=', id).execute()
    const [row] = await rowsOf(rows, tx)
    if (!row) throw new ApiProblem('not_found', { field: 'id' })
    return row
  }

  async function decide(tx: Tx, id: number, change: { status: 'passed' | 'failed'; by: string; reason: string; note: string }) {
    const { by, status, reason, note } = change
    const found = await tx.selectFrom('trader_application').selectAll().where('id', '=', id).executeTakeFirst()
    if (!found) throw new ApiProblem('not_found', { field: 'id' })
    // The account first, as whoever applies does.
    await proofs.lock(tx, found.uid, true)
    const now = clock.now()
    const query = tx.updateTable('trader_application').set({ status, reason, note, decided_by: by, changed: now })
    const { numUpdatedRows } = await query.where('id', '=', id).where('status', '=', 'reviewing').executeTakeFirst()
    if (Number(numUpdatedRows) !== 1) throw new ApiProblem('state_wrong')
    if (status === 'passed') {
      await store.accept(tx, { uid: found.uid, nickname: found.nickname, introduction: found.introduction }, now)
      await store.refresh(found.uid, now, tx)
      await proofs.tell(tx, found.uid, { notice: 'trader_passed', values: { trader: found.nickname } })
    } else await proofs.tell(tx, found.uid, { notice: 'trader_failed', values: { trader: found.nickname, reason } })
    return only(id, tx)
  }

  return {
    waiting: async () =>
      (await db.selectFrom('trader_application').select(count).where('status', '=', 'reviewing').executeTakeFirstOrThrow()).n,
    async list(filter) {
      const { page, size, status } = filter
      const { query } = await matching(filter)
      const { n } = await query.select(count).executeTakeFirstOrThrow()
      const ordered = query.selectAll().orderBy('id', status === 'reviewing' ? 'asc' : 'desc')
      const rows = await ordered
        .limit(size)
        .offset((page - 1) * size)
        .execute()
      return { list: await rowsOf(rows), total: n }
    },
    async one(id) {
      const row = await only(id)
      const failed = db.selectFrom('trader_application').select(count).where('uid', '=', row.uid).where('status', '=', 'failed')
      const { n } = await failed.where('id', '<', id).executeTakeFirstOrThrow()
      return { ...row, earlier: n, ...(await store.traded(row.uid)) }
    },
    approve: (tx, id, by, note = '') => decide(tx, id, { status: 'passed', by, reason: '', note }),
    async reject(tx, id, by, reason) {
      if (reason.trim() === '') throw new ApiProblem('reason_missing', { field: 'reason' })
      return decide(tx, id, { status: 'failed', by, reason: reason.trim(), note: '' })
    },
  }
}
