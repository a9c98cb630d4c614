import { type Selectable, sql } from 'kysely'
import { copyMachine, followLimits, followMachine } from '#api-server/follow/follow.rules.ts'
import type { Decision } from '#api-server/kit/decision.ts'
import { positions } from '#api-server/lever/lever.reads.ts'
import type { SkipReason, TraderSort } from '#contract/calls/follow.calls.ts'
import type { LeverSide } from '#contract/calls/lever.rows.ts'
import { folded } from '#contract/text.ts'
import { type Database, type Tables, type Tx, write, writeAny } from '#server-kit/db/db.ts'
import type { DueAsk } from '#server-kit/due/due-table.ts'
import { countMax, countOf, pageOf, rowsIn } from '#server-kit/http/list-bounds.ts'

export type Trader = Selectable<Tables['trader']>
export type Follow = Selectable<Tables['follow']>
export type Copy = Selectable<Tables['follow_copy']>
export type Application = Selectable<Tables['trader_application']>

/** A position of a trader that a follower has neither copied nor skipped yet. */
export interface DueCopy {
  follow_id: number
  uid: number
  trader_position: number
  symbol: string
  side: LeverSide
  multiple: number
  opened: number
}
export interface CopyFilter {
  status: 'open' | 'closing' | 'closed'
  trader_user_id?: number | undefined
  from?: number | undefined
  to?: number | undefined
}
/** The result of a following. Positions that the customer has taken over do not count. */
export interface FollowResult {
  follow_id: number
  open: number
  closed: number
  winning: number
  skipped: number
  result: string
}
/** An open position, for its profit at the last price. */
export interface HeldPosition {
  symbol: string
  side: LeverSide
  lots: string
  lot_size: string
  open_price: string
  /** Decimals of its coin. */
  scale: number
}
/** A copied position, which may be closed. */
interface HeldCopy extends HeldPosition {
  follow_id: number
  open: boolean
  result: string
}
interface TraderFilter {
  sort: TraderSort
  gaining: boolean
  /** Percent. */
  accuracy: number
  closed: number
  search: string | undefined
}
interface SkippedCopy {
  id: number
  trader_user_id: number
  nickname: string
  symbol: string
  reason: SkipReason
  time: number
}

/** Traders are ranked by it, so that losses that are left open count. */
const equity = sql<string>`profit + open_profit`
const literal = (text: string) => text.replace(/[\\%_]/g, '\\$&')
const dayMs = 86_400_000
const noStatistics = { followers: 0, closed: 0, winning: 0, profit: '0', best: '0', worst: '0' }

export type FollowStore = ReturnType<typeof createFollowStore>

const held = sql`p.symbol, p.side, p.lots, p.lot_size, p.open_price, m.scale`
/** A position of a trader's own making: those that were copied from others count for nobody's figures. */
const isOwn = sql`not exists (select from follow_copy c where c.position_id = p.id)`
/** Closed positions that count. Positions that somebody closes as a customer after the end as a trader are not for others to see. */
const ownClosed = (uid: number) => sql`from ${positions} p where p.uid = ${uid} and p.state = 'closed'
  and not exists (select from trader t where t.uid = p.uid and t.ended < p.ended) and ${isOwn}`

/** Ends the wait of an application. @throws RowCountError when it does not wait */
export const decideApplication = (
  { tx, by, at }: Decision,
  id: number,
  set: { status: 'passed' | 'failed'; reason: string; note: string },
) =>
  write(
    1,
    tx
      .updateTable('trader_application')
      .set({ ...set, decided_by: by, changed: at })
      .where('id', '=', id)
      .where('status', '=', 'reviewing'),
  )

/** All SQL of copy trading. Of positions it only reads. */
export function createFollowStore({ db }: Database) {
  return {
    application: (uid: number, tx?: Tx): Promise<Application | undefined> =>
      (tx ?? db).selectFrom('trader_application').selectAll().where('uid', '=', uid).orderBy('id', 'desc').limit(1).executeTakeFirst(),
    /** @returns false where another one has the name, or the customer has one that is open */
    async apply(tx: Tx, row: Pick<Application, 'uid' | 'nickname' | 'introduction' | 'created'>): Promise<boolean> {
      const rest = { status: 'reviewing', reason: '', decided_by: '', note: '', changed: row.created } as const
      const query = tx.insertInto('trader_application').values({ ...row, ...rest })
      return (await writeAny(query.onConflict((on) => on.doNothing()))) === 1
    },
    accept: (tx: Tx, row: Pick<Trader, 'uid' | 'nickname' | 'introduction'>, at: number) =>
      write(1, tx.insertInto('trader').values({ ...row, curve: '[]', since: at, refreshed: at, ...noStatistics })),

    trader: (uid: number, tx?: Tx): Promise<Trader | undefined> =>
      (tx ?? db).selectFrom('trader').selectAll().where('uid', '=', uid).executeTakeFirst(),
    /** The trader is not ended before the transaction is over; one that is being ended is waited for. */
    traderKept: (tx: Tx, uid: number): Promise<Trader | undefined> =>
      tx.selectFrom('trader').selectAll().where('uid', '=', uid).forShare().executeTakeFirst(),
    /** Nickname of the trader of a following, without a lock. */
    async nicknameOf(tx: Tx, follow: number): Promise<string> {
      const found = tx.selectFrom('follow as f').innerJoin('trader as t', 't.uid', 'f.trader_uid').where('f.id', '=', follow)
      return (await found.select('t.nickname').executeTakeFirstOrThrow()).nickname
    },
    /** Nobody else changes it, or begins to follow, before the transaction is over. */
    traderLocked: (tx: Tx, uid: number): Promise<Trader | undefined> =>
      tx.selectFrom('trader').selectAll().where('uid', '=', uid).forUpdate().executeTakeFirst(),
    /** @param at the time under the lock of the trader, which may be later than that of the decision */
    endTrader: ({ tx, by }: Decision, uid: number, { reason, at }: { reason: string; at: number }) =>
      write(
        1,
        tx.updateTable('trader').set({ ended: at, ended_by: by, end_reason: reason }).where('uid', '=', uid).where('ended', 'is', null),
      ),
    async traders({ sort, gaining, accuracy, closed, search }: TraderFilter, page: { offset: number; size: number }) {
      let asked = db.selectFrom('trader').where('ended', 'is', null).where('closed', '>=', closed)
      if (gaining) asked = asked.where(equity, '>', '0')
      if (accuracy > 0) asked = asked.where('closed', '>', 0).where(sql<boolean>`winning * 100 >= closed * ${accuracy}::int`)
      if (search?.trim()) asked = asked.where('nickname', 'ilike', `%${literal(folded(search).trim())}%`)
      const share = sql`winning::numeric / nullif(closed, 0)`
      const first = sort === 'accuracy' ? sql`${share} desc nulls last` : sort === 'profit' ? sql`${equity} desc` : sql`followers desc`
      const { rows, total } = await pageOf(db, asked.selectAll().orderBy(first).orderBy(equity, 'desc').orderBy('uid'), page)
      return { list: rows, total }
    },
    /** Open positions of the customer's own making. */
    async openOf(uid: number, tx?: Tx): Promise<(HeldPosition & { id: number; opened: number })[]> {
      const { rows } = await sql<HeldPosition & { id: number; opened: number }>`select p.id, p.opened, ${held}
        from ${positions} p join currency m on m.id = p.currency where p.uid = ${uid} and p.state in ('open', 'closing') and ${isOwn}`.execute(
        tx ?? db,
      )
      return rows
    },
    /** Numbers of the closed positions that the figures count, newest first. */
    async history(uid: number, page: { offset: number; size: number }): Promise<{ ids: number[]; total: number }> {
      const { rows } = await sql<{ id: number }>`select p.id ${ownClosed(uid)}
        order by p.ended desc, p.id desc limit ${page.size} offset ${page.offset}`.execute(db)
      return { ids: rows.map(({ id }) => id), total: Math.min(await rowsIn(db, sql`select ${ownClosed(uid)}`), countMax) }
    },
    /** Traders whose figures are older than one moment, or newer than another; not those who have ended. */
    stale: async (before: number, after: number, most: number): Promise<number[]> =>
      (
        await db
          .selectFrom('trader')
          .select('uid')
          .where('ended', 'is', null)
          .where((is) => is.or([is('refreshed', '<', before), is('refreshed', '>', after)]))
          .orderBy('refreshed')
          .limit(most)
          .execute()
      ).map(({ uid }) => uid),
    /** Takes the figures of a trader: from closed positions, and what open ones would bring. Those of who has ended stay. */
    async refresh(uid: number, { at, open_profit }: { at: number; open_profit: string }, tx?: Tx): Promise<void> {
      const today = at - (at % dayMs)
      const from = today - (followLimits.curveDays - 1) * dayMs
      await writeAny({
        execute: async () => [
          await sql`with own as (
              select p.result, p.ended ${ownClosed(uid)}),
            days as (select greatest(ended - ended % ${dayMs}::bigint, ${from}::bigint - ${dayMs}::bigint) + ${dayMs}::bigint as at,
              sum(result) as result from own group by 1),
            curve as (select at, trim_scale(sum(result) over (order by at))::text as value from days)
            update trader set closed = f.closed, winning = f.winning, profit = f.profit, best = f.best, worst = f.worst, refreshed = ${at},
              followers = (select count(*)::int from follow where trader_uid = ${uid} and state = 'active'), open_profit = ${open_profit}::numeric,
              equity = (select json_agg(json_build_object('at', d.at, 'value', d.value) order by d.at) from (
                select (e ->> 'at')::bigint as at, e ->> 'value' as value from json_array_elements(trader.equity) e
                  where (e ->> 'at')::bigint >= ${from}::bigint and (e ->> 'at')::bigint < ${today}::bigint
                union all select ${at}::bigint, trim_scale(f.profit + ${open_profit}::numeric)::text) d),
              curve = coalesce((select json_agg(json_build_object('at', least(at, ${at}::bigint), 'value', value) order by at) from curve), '[]')
            from (select count(*)::int as closed, count(*) filter (where result > 0)::int as winning, trim_scale(coalesce(sum(result), 0)) as profit,
              trim_scale(greatest(coalesce(max(result), 0), 0)) as best, trim_scale(least(coalesce(min(result), 0), 0)) as worst from own) f
            where trader.uid = ${uid} and trader.ended is null`.execute(tx ?? db),
        ],
      })
    },

    /** Nobody else changes it before the transaction is over. */
    follow: (tx: Tx, id: number): Promise<Follow | undefined> =>
      tx.selectFrom('follow').selectAll().where('id', '=', id).forUpdate().executeTakeFirst(),
    active: (tx: Tx, trader: number, uid: number): Promise<Follow | undefined> =>
      tx
        .selectFrom('follow')
        .selectAll()
        .where('trader_uid', '=', trader)
        .where('uid', '=', uid)
        .where('state', '=', 'active')
        .forUpdate()
        .executeTakeFirst(),
    /** All who copy a trader, in the order of the customers. Nobody else changes a row before the transaction is over. */
    followersOf: (tx: Tx, trader: number): Promise<Follow[]> =>
      tx
        .selectFrom('follow')
        .selectAll()
        .where('trader_uid', '=', trader)
        .where('state', '=', 'active')
        .orderBy('uid')
        .forUpdate()
        .execute(),
    countFollowers: (trader: number): Promise<number> =>
      countOf(db, db.selectFrom('follow').where('trader_uid', '=', trader).where('state', '=', 'active')),
    countActive: (tx: Tx, uid: number): Promise<number> =>
      countOf(tx, tx.selectFrom('follow').where('uid', '=', uid).where('state', '=', 'active')),
    begin: async (
      tx: Tx,
      row: Pick<Follow, 'trader_uid' | 'uid' | 'type' | 'number' | 'stop_loss' | 'created'> & { agreed: number },
    ): Promise<Follow> =>
      (
        await write(
          1,
          tx
            .insertInto('follow')
            .values({ ...row, state: 'active', ended: null })
            .returningAll(),
        )
      )[0]!,
    async end(tx: Tx, follow: Follow, state: 'cancelled' | 'lost', at: number): Promise<Follow> {
      if (!followMachine.allows(follow.state, state)) throw new Error(`a following does not go from ${follow.state} to ${state}`)
      await write(1, tx.updateTable('follow').set({ state, ended: at }).where('id', '=', follow.id).where('state', '=', follow.state))
      return { ...follow, state, ended: at }
    },
    mine: (uid: number, most: number) =>
      db
        .selectFrom('follow as f')
        .innerJoin('trader as t', 't.uid', 'f.trader_uid')
        .selectAll('f')
        .select('t.nickname')
        .where('f.uid', '=', uid)
        .orderBy(sql`f.state = 'active'`, 'desc')
        .orderBy('f.id', 'desc')
        .limit(most)
        .execute(),
    /** @param id of one following; absent: of all of the customer */
    async results(uid: number, id?: number, tx?: Tx): Promise<FollowResult[]> {
      const one = id === undefined ? sql`` : sql`and c.follow_id = ${id}`
      const { rows } =
        await sql<FollowResult>`select c.follow_id, count(*) filter (where c.state = 'open' and p.state <> 'closed')::int as open,
          count(*) filter (where c.state <> 'own' and p.state = 'closed')::int as closed,
          count(*) filter (where c.state <> 'own' and p.state = 'closed' and p.result > 0)::int as winning,
          count(*) filter (where c.state = 'skipped')::int as skipped,
          trim_scale(coalesce(sum(p.result) filter (where c.state <> 'own'), 0))::text as result
        from follow_copy c left join ${positions} p on p.id = c.position_id where c.uid = ${uid} ${one}
        group by c.follow_id`.execute(tx ?? db)
      return rows
    },
    async skipped(uid: number, most: number): Promise<SkippedCopy[]> {
      const { rows } = await sql<SkippedCopy>`select c.id, f.trader_uid as trader_user_id, t.nickname, p.symbol, c.reason, c.at as time
        from follow_copy c join follow f on f.id = c.follow_id join trader t on t.uid = f.trader_uid
        join ${positions} p on p.id = c.trader_position where c.uid = ${uid} and c.state = 'skipped' order by c.id desc limit ${most}`.execute(
        db,
      )
      return rows
    },
    async copies(uid: number, { status, trader_user_id: trader, ...time }: CopyFilter, page: { offset: number; size: number }) {
      const states = status === 'open' ? sql`('open', 'closing')` : sql`(${status})`
      const sorted = sql`coalesce(p.ended, p.opened)`
      const asked = [
        sql`c.uid = ${uid}`,
        ...(trader === undefined ? [] : [sql`c.follow_id in (select id from follow where trader_uid = ${trader} and uid = ${uid})`]),
        ...(time.from === undefined ? [] : [sql`${sorted} >= ${time.from}`]),
        ...(time.to === undefined ? [] : [sql`${sorted} < ${time.to}`]),
      ]
      const from = sql`from follow_copy c join ${positions} p on p.id = c.position_id and p.state in ${states} where ${sql.join(asked, sql` and `)}`
      const { rows } = await sql<{
        position_id: number
        state: Copy['state']
        trader_user_id: number
        nickname: string
      }>`select c.position_id,
          c.state, f.trader_uid as trader_user_id, t.nickname from (select c.*, ${sorted} as sorted ${from}
            order by sorted desc, c.id desc limit ${page.size} offset ${page.offset}) c
        join follow f on f.id = c.follow_id join trader t on t.uid = f.trader_uid order by c.sorted desc, c.id desc`.execute(db)
      return { rows, total: Math.min(await rowsIn(db, sql`select ${from}`), countMax) }
    },

    /** Positions that followers have to copy, oldest first. @param ask `among`: among these positions; absent: all of the last day */
    async due({ now, most, except, after, among }: DueAsk<DueCopy>): Promise<DueCopy[]> {
      const these = among === undefined ? sql`` : sql`and p.id in (${sql.join([...among])})`
      const others = except.length ? sql`and f.id || ' ' || p.id <> all(${[...except]}::text[])` : sql``
      const later = after
        ? sql`and (p.opened, f.id, p.id) > (${after.opened}::bigint, ${after.follow_id}::bigint, ${after.trader_position}::bigint)`
        : sql``
      const { rows } = await sql<DueCopy>`select f.id as follow_id, f.uid, p.id as trader_position, p.symbol, p.side, p.multiple, p.opened
        from follow f join ${positions} p on p.uid = f.trader_uid and p.opened >= greatest(f.created, ${now - followLimits.lookBackMs}::bigint)
        where f.state = 'active' ${these} ${others} ${later} and not exists (select from follow_copy c where c.trader_position = p.id and c.uid = f.uid)
        order by p.opened, f.id, p.id limit ${most}`.execute(db)
      return rows
    },
    /** @returns undefined where that position has been copied or skipped already */
    async add(tx: Tx, row: Omit<Copy, 'id'>): Promise<number | undefined> {
      const query = tx.insertInto('follow_copy').values(row)
      const added = await query
        .onConflict((on) => on.columns(['trader_position', 'uid']).doNothing())
        .returning('id')
        .executeTakeFirst()
      return added?.id
    },
    async skippedSince(tx: Tx, follow: number, since: number): Promise<boolean> {
      const asked = tx.selectFrom('follow_copy').select('id').where('follow_id', '=', follow).where('state', '=', 'skipped')
      return (await asked.where('at', '>', since).limit(1).executeTakeFirst()) !== undefined
    },
    /** Copies that are behind: the trader has closed so much that some of the copy closes too, or the copy itself is closed. @param ask `among`: positions of either */
    async behind({ most, except, after, among }: Omit<DueAsk<Pick<Copy, 'id'>>, 'now'>): Promise<Pick<Copy, 'id'>[]> {
      const ids = sql.join([...(among ?? [])])
      const these = among === undefined ? sql`` : sql`and (c.trader_position in (${ids}) or c.position_id in (${ids}))`
      const others = except.length ? sql`and c.id::text <> all(${[...except]}::text[])` : sql``
      const { rows } = await sql<{ id: number }>`select c.id from follow_copy c join ${positions} t on t.id = c.trader_position
        join ${positions} p on p.id = c.position_id
        where c.state = 'open' and c.id > ${after?.id ?? 0} ${these} ${others} and (t.state <> 'open' or p.state = 'closed'
          or p.lots * (c.trader_lots - t.lots) >= ${followLimits.lotsStep}::numeric * c.trader_lots) order by c.id limit ${most}`.execute(
        db,
      )
      return rows
    },
    copy: (id: number, tx?: Tx): Promise<Copy | undefined> =>
      (tx ?? db)
        .selectFrom('follow_copy')
        .selectAll()
        .where('id', '=', id)
        .$if(tx !== undefined, (asked) => asked.forUpdate())
        .executeTakeFirst(),
    copyOf: (tx: Tx, uid: number, position: number): Promise<Copy | undefined> =>
      tx.selectFrom('follow_copy').selectAll().where('uid', '=', uid).where('position_id', '=', position).forUpdate().executeTakeFirst(),
    /** @throws RowCountError where the states do not lead there */
    setCopy(tx: Tx, id: number, set: Partial<Pick<Copy, 'state' | 'trader_lots'>>) {
      const before = copyMachine.states.filter((from) => copyMachine.allows(from, set.state ?? 'open'))
      return write(1, tx.updateTable('follow_copy').set(set).where('id', '=', id).where('state', 'in', before))
    },
    /** Followings that go on and have a stop and an open copy: only the price moves what these have lost. */
    async withStop(after: number, most: number): Promise<Pick<Follow, 'id' | 'uid' | 'stop_loss'>[]> {
      const asked = db.selectFrom('follow').select(['id', 'uid', 'stop_loss']).where('state', '=', 'active').where('id', '>', after)
      const open = sql<boolean>`exists (select from follow_copy c where c.follow_id = follow.id and c.state = 'open')`
      return asked.where('stop_loss', 'is not', null).where(open).orderBy('id').limit(most).execute()
    },
    /** The copies of followings, for what these have lost. */
    async held(follows: readonly number[], tx?: Tx): Promise<HeldCopy[]> {
      const { rows } = await sql<HeldCopy>`select c.follow_id, ${held}, p.state <> 'closed' as open,
        p.result from follow_copy c join ${positions} p on p.id = c.position_id join currency m on m.id = p.currency
        where c.follow_id in (${sql.join([...follows])}) and c.state in ('open', 'closed')`.execute(tx ?? db)
      return rows
    },
  }
}
