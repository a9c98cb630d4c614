import { sql } from 'kysely'
import { createPeople } from '#api-server/account/people.reads.ts'
import type { FollowContext } from '#api-server/follow/context.ts'
import { takeFigures } from '#api-server/follow/figures.ts'
import type { Application, Trader } from '#api-server/follow/follow.store.ts'
import type { TraderReviewFilter, TraderReviewRow, TraderReviews } from '#api-server/follow/review.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Db, Tx } from '#server-kit/db/db.ts'

const count = sql<number>`count(*)::int`.as('n')

/** An application, and the end of its trader: null unless it has ended. */
type Found = Omit<Application, 'nickname' | 'note'> & { trader_name: string } & {
  [Name in 'ended' | 'ended_by' | 'end_reason']: Trader[Name] | null
}

/** Applications of traders at the back office, see review.ts. */
export function createReviews(context: FollowContext): TraderReviews {
  const { database, store, proofs, notices, clock } = context
  const { db } = database
  const people = createPeople(database)

  /** Applications; one that was accepted has its trader beside it once that one has ended. */
  const applications = (from: Db | Tx) =>
    from
      .selectFrom('trader_application as a')
      .leftJoin('trader as t', (join) => join.onRef('t.uid', '=', 'a.uid').on('a.status', '=', 'passed').on('t.ended', 'is not', null))
  const columns = [
    'a.id',
    'a.uid',
    'a.nickname as trader_name',
    'a.introduction',
    'a.status',
    'a.reason',
    'a.decided_by',
    'a.created',
  ] as const
  const endColumns = ['a.changed', 't.ended', 't.ended_by', 't.end_reason'] as const

  async function matching({ status, search }: Pick<TraderReviewFilter, 'status' | 'search'>) {
    let query = applications(db)
    if (status === 'ended') query = query.where('t.uid', 'is not', null)
    else if (status !== 'all') query = query.where('a.status', '=', status).where('t.uid', 'is', null)
    if (search?.trim()) {
      const uids = await people.find(search)
      query = uids.length ? query.where('a.uid', 'in', uids) : query.where(sql<boolean>`false`)
    }
    return { query }
  }
  async function rowsOf(rows: readonly Found[], tx?: Tx): Promise<TraderReviewRow[]> {
    const of = await people.byIds([...new Set(rows.map(({ uid }) => uid))], tx)
    return rows.flatMap(({ ended, ended_by, end_reason, ...row }) => {
      const person = of.get(row.uid)
      if (!person) return []
      const { nickname, contact, level, demo } = person
      const end = ended !== null && { status: 'ended' as const, reason: end_reason ?? '', decided_by: ended_by ?? '', changed: ended }
      return [{ ...row, nickname, contact, level, demo, ...end }]
    })
  }
  async function only(id: number, tx?: Tx): Promise<TraderReviewRow> {
    const rows = await applications(tx ?? db)
      .select([...columns, ...endColumns])
      .where('a.id', '=', id)
      .execute()
    const [row] = await rowsOf(rows, tx)
    if (!row) throw new ApiProblem('not_found', { field: 'id' })
    return row
  }
  /** @throws ApiProblem('reason_missing') */
  function reasonOf(text: string): string {
    const reason = text.trim()
    if (reason === '') throw new ApiProblem('reason_missing', { field: 'reason' })
    return reason
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
      await takeFigures(context, found.uid, now, tx)
      await notices.notify(tx, found.uid, { kind: 'trader_passed', figures: { name: found.nickname } })
    } else await notices.notify(tx, found.uid, { kind: 'trader_failed', figures: { name: found.nickname, reason } })
    return only(id, tx)
  }

  return {
    waiting: async () =>
      (await db.selectFrom('trader_application').select(count).where('status', '=', 'reviewing').executeTakeFirstOrThrow()).n,
    async list(filter) {
      const { page, size, status } = filter
      const { query } = await matching(filter)
      const { n } = await query.select(count).executeTakeFirstOrThrow()
      const ordered = query.select([...columns, ...endColumns]).orderBy('a.id', status === 'reviewing' ? 'asc' : 'desc')
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
      return { ...row, earlier: n, followers: await store.countFollowers(row.uid), ...(await context.copies.traded(row.uid)) }
    },
    approve: (tx, id, by, note = '') => decide(tx, id, { status: 'passed', by, reason: '', note }),
    async reject(tx, id, by, text) {
      return decide(tx, id, { status: 'failed', by, reason: reasonOf(text), note: '' })
    },
    async end(tx, id, by, text) {
      const reason = reasonOf(text)
      const { uid, status } = await only(id, tx)
      if (status !== 'passed') throw new ApiProblem('state_wrong')
      // The trader first: from here to the end of the transaction nobody begins to follow.
      const trader = await store.traderLocked(tx, uid)
      if (trader?.ended !== null) throw new ApiProblem('state_wrong')
      const at = clock.now()
      const follows = await store.followersOf(tx, uid)
      for (const follow of follows) await store.end(tx, follow, 'cancelled', at)
      await takeFigures(context, uid, at, tx)
      await store.endTrader(tx, uid, { by, reason, at })
      const name = trader.nickname
      await notices.notifyAll(tx, [
        ...follows.map((follow) => ({ uid: follow.uid, kind: 'copy_ended', figures: { name } }) as const),
        { uid, kind: 'trader_ended', figures: { name, reason } },
      ])
      return { row: await only(id, tx), followers: follows.map((follow) => follow.uid) }
    },
  }
}
