import Big from 'big.js'
import { quoteCode } from '#api-server/currency/currency.reads.ts'
import type { FollowContext } from '#api-server/follow/context.ts'
import { accuracyOf, followLimits, introductionOf, readNumber, readStop } from '#api-server/follow/follow.rules.ts'
import type { Application, CopyFilter, Follow, FollowResult, Trader } from '#api-server/follow/follow.store.ts'
import { openProfitOfAll } from '#api-server/follow/statistics.ts'
import type { Following, followCalls, TraderRow } from '#contract/calls/follow.calls.ts'
import { lengthOf } from '#contract/characters.ts'
import type { CallInput, CallOutput } from '#contract/contract.ts'
import { listMost } from '#contract/fields.ts'
import { exact, plain } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'
import { nicknameOf, nicknameProblem } from '#contract/rules/nickname.rules.ts'
import type { Tx } from '#server-kit/db/db.ts'
import type { Handlers } from '#server-kit/http/http.ts'
import { checkTimeRange, offsetOf } from '#server-kit/http/list-bounds.ts'
import { exportOf, exportPage, timeCell } from '#server-kit/ops/csv.rules.ts'

const skippedMax = 20
const columns = [
  ...['column_id', 'column_trader', 'column_symbol', 'column_side', 'column_multiple', 'column_lots', 'column_open_price'],
  ...['column_close_price', 'column_profit', 'fee', 'column_overnight', 'column_result', 'column_state', 'column_reason'],
  ...['column_opened', 'column_closed'],
] as const

function filterOf(filter: CallInput<'follow.exportCopies'>): CopyFilter {
  checkTimeRange(filter)
  return filter
}

/** The handlers of customers' calls; see follow.calls.ts. */
export function followHandlers(context: FollowContext): Handlers<typeof followCalls> {
  const { store, once, copies, proofs, clock, texts, rowChanged, queueChanged } = context

  function traderRow(row: Trader): TraderRow {
    const { uid: trader_user_id, nickname, introduction, since, followers, closed, winning, curve, equity, refreshed } = row
    const [profit, open_profit] = [exact(row.profit), exact(row.open_profit)]
    const statistics = { followers, closed, winning, accuracy: accuracyOf(row), profit, open_profit, curve, equity, refreshed }
    return { trader_user_id, nickname, introduction, since, currency_code: quoteCode, ...statistics }
  }
  /** @throws ApiProblem('trader_unknown') */
  function known(found: Trader | undefined): Trader {
    if (!found) throw new ApiProblem('trader_unknown', { field: 'trader_user_id' })
    return found
  }
  const traderOf = async (uid: number, tx?: Tx): Promise<Trader> => known(await store.trader(uid, tx))
  /** Whether the customer trades for others, or has asked to and waits. */
  async function trades(uid: number, tx: Tx): Promise<boolean> {
    const own = await store.application(uid, tx)
    if (!own || own.status === 'failed') return false
    const trader = await store.trader(uid, tx)
    return !trader || trader.ended === null
  }
  function followingOf(row: Follow & { nickname: string }, found?: FollowResult): Following {
    const { id, trader_uid: trader_user_id, uid: follow_user_id, nickname, type, number, stop_loss, state, created, ended } = row
    const { open = 0, closed = 0, winning = 0, skipped = 0, result = '0' } = found ?? {}
    return {
      id,
      trader_user_id,
      follow_user_id,
      nickname,
      type,
      number: exact(number),
      currency_code: quoteCode,
      state,
      created,
      ended,
      stop_loss: stop_loss && exact(stop_loss),
      open,
      closed,
      winning,
      skipped,
      result,
    }
  }
  async function applicationOf(uid: number, row: Application | undefined, tx?: Tx): Promise<CallOutput<'follow.application'>> {
    const trader = await store.trader(uid, tx)
    const said: CallOutput<'follow.application'> = {
      status: row?.status ?? 'none',
      nickname: row?.nickname ?? '',
      introduction: row?.introduction ?? '',
      reason: row?.reason ?? '',
      submitted: row?.created ?? null,
      reviewed: row && row.status !== 'reviewing' ? row.changed : null,
      trader: trader ? traderRow(trader) : null,
    }
    if (!trader || trader.ended === null) return said
    return { ...said, status: 'ended', reason: trader.end_reason, reviewed: trader.ended }
  }

  async function copiesOf(uid: number, filter: CopyFilter, page: { offset: number; size: number }) {
    const { rows, total } = await store.copies(uid, filter, page)
    const positions = await copies.rows(rows.map((row) => row.position_id))
    const list = rows.flatMap(({ position_id, trader_user_id, nickname, state }) => {
      const position = positions.get(position_id)
      return position ? [{ ...position, trader_user_id, nickname, copied: state !== 'own' }] : []
    })
    return { list, total }
  }

  return {
    'follow.index': async ({ page, size, gaining, ...filter }) => {
      const { list, total } = await store.traders({ ...filter, gaining: gaining === '1', search: filter.search }, offsetOf({ page, size }))
      return { list: list.map(traderRow), total }
    },
    'follow.traderDetail': async ({ trader_user_id }) => {
      const row = await traderOf(trader_user_id)
      const { closed, winning, best, worst, ended } = row
      const open = (await store.openOf(row.uid)).filter(({ opened }) => ended === null || opened <= ended)
      return {
        ...traderRow(row),
        ...(ended === null && { open_profit: openProfitOfAll(context.reads, open) }),
        losing: closed - winning,
        best: exact(best),
        worst: exact(worst),
        open: open.length,
        ended,
      }
    },
    'follow.historyTrade': async ({ trader_user_id, ...page }) => {
      await traderOf(trader_user_id)
      const { ids, total } = await store.history(trader_user_id, offsetOf(page))
      const rows = await copies.rows(ids)
      return { list: ids.flatMap((id) => rows.get(id) ?? []), total }
    },
    'follow.follow': async (input, caller) => {
      const { uid } = caller.user
      const { trader_user_id, type } = input
      const number = readNumber(input.number)
      if (number === undefined) throw new ApiProblem('size_wrong', { field: 'number' })
      const { scale } = await context.coins.quoteOf()
      const stop_loss = input.stop_loss === undefined ? null : readStop(input.stop_loss, scale)
      if (stop_loss === undefined) throw new ApiProblem('amount_wrong', { field: 'stop_loss' })
      const done = await once.run(caller, { call: 'follow.follow', input }, async (tx) => {
        // The trader before the account, as the end of a trader does.
        const { nickname, ended } = known(await store.traderKept(tx, trader_user_id))
        await proofs.lock(tx, uid)
        if (ended !== null) throw new ApiProblem('trader_ended', { field: 'trader_user_id' })
        if (trader_user_id === uid) throw new ApiProblem('trader_self', { field: 'trader_user_id' })
        // Copies are not copied again, so who trades for others copies nobody.
        if (await trades(uid, tx)) throw new ApiProblem('trader_follows')
        if (await store.active(tx, trader_user_id, uid)) throw new ApiProblem('trader_followed', { field: 'trader_user_id' })
        if ((await store.countActive(tx, uid)) >= followLimits.activeMax) throw new ApiProblem('list_full')
        const now = clock.now()
        // The input has no other answer than that both agreements are accepted.
        const row = await store.begin(tx, { trader_uid: trader_user_id, uid, type, number, stop_loss, agreed: now, created: now })
        return followingOf({ ...row, nickname })
      })
      rowChanged(uid, 'follows')
      return done
    },
    'follow.cancel': async (input, caller) => {
      const { uid } = caller.user
      const done = await once.run(caller, { call: 'follow.cancel', input }, async (tx) => {
        const { nickname } = await traderOf(input.trader_user_id, tx)
        const found = await store.active(tx, input.trader_user_id, uid)
        if (!found) throw new ApiProblem('trader_unknown', { field: 'trader_user_id' })
        const row = await store.end(tx, found, 'cancelled', clock.now())
        return followingOf({ ...row, nickname }, (await store.results(uid, row.id, tx))[0])
      })
      rowChanged(uid, 'follows')
      return done
    },
    'follow.selfHolding': async (input, caller) => {
      const { uid } = caller.user
      const done = await once.run(caller, { call: 'follow.selfHolding', input }, async (tx) => {
        const copy = await store.copyOf(tx, uid, input.transaction_id)
        if (!copy) throw new ApiProblem('order_unknown', { field: 'transaction_id' })
        const status = await copies.stateOf(tx, input.transaction_id)
        if (copy.state !== 'open' || status !== 'open') throw new ApiProblem('state_wrong')
        await store.setCopy(tx, copy.id, { state: 'own' })
        return { id: input.transaction_id, status, copied: false }
      })
      rowChanged(uid, 'follows')
      return done
    },
    'follow.mine': async (_input, { user: { uid } }) => {
      const [found, list, skipped] = [
        await store.results(uid),
        await store.mine(uid, listMost.followings),
        await store.skipped(uid, skippedMax),
      ]
      const of = new Map(found.map((row) => [row.follow_id, row]))
      const sum = (name: 'open' | 'closed' | 'winning') => found.reduce((all, row) => all + row[name], 0)
      return {
        currency_code: quoteCode,
        result: plain(found.reduce((all, row) => all.plus(row.result), new Big(0))),
        active: list.filter(({ state }) => state === 'active').length,
        open: sum('open'),
        closed: sum('closed'),
        winning: sum('winning'),
        list: list.map((row) => followingOf(row, of.get(row.id))),
        skipped: skipped.map((row) => ({ ...row, name: copies.nameOf(row.symbol) })),
      }
    },
    'follow.copies': async ({ page, size, ...filter }, { user: { uid } }) => copiesOf(uid, filterOf(filter), offsetOf({ page, size })),
    'follow.exportCopies': async (filter, { user: { uid }, lang }) => {
      const { list } = await copiesOf(uid, filterOf(filter), exportPage)
      const say = (key: string) => texts.say(lang, key)
      return exportOf('tessera-copies', clock.now(), list, {
        titles: columns.map(say),
        line: (row) => [
          ...[row.id, row.nickname, row.name, say(row.side), row.multiple, row.lots, row.open_price, row.exit_price],
          ...[row.profit, row.fee, row.overnight, row.result, say(`copies_${filter.status}`)],
          ...[row.close_reason && say(`reason_${row.close_reason}`), row.opened && timeCell(row.opened), row.ended && timeCell(row.ended)],
        ],
      })
    },
    'follow.application': async (_input, { user: { uid } }) => applicationOf(uid, await store.application(uid)),
    'follow.apply': async (input, caller) => {
      const { uid } = caller.user
      const problem = nicknameProblem(input.nickname)
      if (problem) throw new ApiProblem(problem, { field: 'nickname' })
      const nickname = nicknameOf(input.nickname)!
      const introduction = introductionOf(input.introduction)
      if (introduction === undefined) throw new ApiProblem('parameter_missing', { field: 'introduction' })
      if (lengthOf(introduction) > followLimits.introductionMax) throw new ApiProblem('text_too_long', { field: 'introduction' })
      const done = await once.run(caller, { call: 'follow.apply', input }, async (tx) => {
        await proofs.lock(tx, uid)
        const before = await store.application(uid, tx)
        if (before && before.status !== 'failed') throw new ApiProblem((await trades(uid, tx)) ? 'trader_already' : 'trader_ended')
        if (await store.countActive(tx, uid)) throw new ApiProblem('trader_follows')
        const isFree = await store.apply(tx, { uid, nickname, introduction, created: clock.now() })
        if (!isFree) throw new ApiProblem('trader_name_taken', { field: 'nickname' })
        return applicationOf(uid, await store.application(uid, tx), tx)
      })
      rowChanged(uid, 'follows')
      queueChanged()
      return done
    },
  }
}
