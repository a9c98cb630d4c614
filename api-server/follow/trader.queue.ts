import { sql } from 'kysely'
import type { FollowContext } from '#api-server/follow/context.ts'
import { decideApplication } from '#api-server/follow/follow.store.ts'
import { takeStatistics } from '#api-server/follow/statistics.ts'
import { defineQueue } from '#api-server/kit/queue.ts'
import type { TraderReviewState } from '#contract/calls/office.rows.ts'
import { ApiProblem } from '#contract/problem.ts'

/** An application; once its trader has ended, with state, reason and time of the end. */
interface TraderReview {
  id: number
  uid: number
  trader_name: string
  introduction: string
  status: TraderReviewState
  reason: string
  /** Name of the operator who accepted or refused. */
  decided_by: string
  /** Name of the operator who ended the trader; empty unless ended. */
  ended_by: string
  created: number
  changed: number
}

const ended = (row: TraderReview, by: string, reason: string, at: number): TraderReview => ({
  ...row,
  status: 'ended',
  ended_by: by,
  reason,
  changed: at,
})

/** Applications of traders, and the end of those who were accepted. */
export const traderQueue = defineQueue<FollowContext, TraderReview, 'office.traders', 'office.trader'>({
  subject: 'trader',
  list: 'office.traders',
  one: 'office.trader',
  rows: sql<TraderReview>`select a.id, a.uid, a.nickname as trader_name, a.introduction, a.decided_by, coalesce(t.ended_by, '') as ended_by, a.created,
    case when t.uid is null then a.status else 'ended' end as status, coalesce(t.end_reason, a.reason) as reason, coalesce(t.ended, a.changed) as changed
    from trader_application a left join trader t on t.uid = a.uid and a.status = 'passed' and t.ended is not null`,
  table: 'trader_application',
  waiting: ['reviewing'],
  counts: { traders: ['reviewing'] },
  shown: async (_context, rows) => rows.map(({ uid: _, ended_by, ...row }) => ({ ...row, decided_by: ended_by || row.decided_by })),
  async whole({ database, store, copies }, { id, uid }) {
    const { earlier } = await database.db
      .selectFrom('trader_application')
      .select(sql<number>`count(*)::int`.as('earlier'))
      .where('uid', '=', uid)
      .where('status', '=', 'failed')
      .where('id', '<', id)
      .executeTakeFirstOrThrow()
    return { earlier, followers: await store.countFollowers(uid), ...(await copies.traded(uid)) }
  },
  steps: {
    'office.traderApprove': {
      action: 'trader.approve',
      to: ['passed', 'ended'],
      async work({ context, decision, row, input }) {
        if (row.status !== 'reviewing') throw new ApiProblem('state_wrong')
        const { trader_name: name, introduction, uid } = row
        const { tx, at, by } = decision
        await decideApplication(decision, row.id, { status: 'passed', reason: '', note: input.note ?? '' })
        await context.store.accept(tx, { uid, nickname: name, introduction }, at)
        await takeStatistics(context, uid, at, tx)
        return { row: { ...row, status: 'passed', decided_by: by, changed: at }, notice: { kind: 'trader_passed', figures: { name } } }
      },
    },
    'office.traderReject': {
      action: 'trader.reject',
      to: ['failed'],
      async work({ decision, row, input: { reason } }) {
        if (row.status !== 'reviewing') throw new ApiProblem('state_wrong')
        await decideApplication(decision, row.id, { status: 'failed', reason, note: '' })
        return {
          row: { ...row, status: 'failed', reason, decided_by: decision.by, changed: decision.at },
          notice: { kind: 'trader_failed', figures: { name: row.trader_name, reason } },
        }
      },
    },
    /**
     * Nobody can copy the trader any more, for good. All followings end, as if each follower had ended them: open copies stay copied. The trader reads
     * the reason; followers hear of the end alone.
     */
    'office.traderEnd': {
      action: 'trader.end',
      to: ['ended'],
      by: 'ended_by',
      locksItself: true,
      async work({ context, decision, row, input: { reason } }) {
        const { store, notices, clock } = context
        const { tx, by } = decision
        if (row.status !== 'passed') throw new ApiProblem('state_wrong')
        // The trader first: from here to the end of the transaction nobody begins to follow.
        const trader = await store.traderLocked(tx, row.uid)
        if (trader?.ended !== null) throw new ApiProblem('state_wrong')
        // Customers who waited less have begun since the decision was taken.
        const at = clock.now()
        const follows = await store.followersOf(tx, row.uid)
        for (const follow of follows) await store.end(tx, follow, 'cancelled', at)
        await takeStatistics(context, row.uid, at, tx)
        await store.endTrader(decision, row.uid, { reason, at })
        const name = trader.nickname
        await notices.notifyAll(
          tx,
          follows.map((follow) => ({ uid: follow.uid, kind: 'copy_ended', figures: { name } }) as const),
        )
        return {
          row: ended(row, by, reason, at),
          notice: { kind: 'trader_ended', figures: { name, reason } },
          others: follows.map(({ uid }) => uid),
        }
      },
    },
  },
  announce({ rowChanged }, { uid }, others) {
    for (const one of [uid, ...others]) rowChanged(one, 'follows')
  },
  audit: { about: 'a trader', over: 'user', range: 'uid' },
})
