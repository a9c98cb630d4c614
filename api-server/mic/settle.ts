import { sql } from 'kysely'
import { type LedgerEvent, type Posting, release } from '#api-server/ledger/ledger.ts'
import type { MarketReads } from '#api-server/market/market.reads.ts'
import { settlementPrices } from '#api-server/market/settlement.reads.ts'
import type { MicContext } from '#api-server/mic/context.ts'
import { type Result, resultOf } from '#api-server/mic/mic.rules.ts'
import type { OptionRow, Settlement } from '#api-server/mic/mic.store.ts'
import type { EventKind } from '#contract/accounts.ts'
import type { OptionOrder } from '#contract/calls/mic.calls.ts'
import type { Notice } from '#contract/calls/notice.kinds.ts'
import { exact, less } from '#contract/money.ts'
import { dueRows } from '#server-kit/due/due-rows.ts'
import { dueTable } from '#server-kit/due/due-table.ts'

/** So many are settled in one transaction at most. */
const togetherMost = 50
const settleEveryMs = 250

const kinds: Record<Settlement['status'], EventKind> = {
  won: 'option_win',
  lost: 'option_lose',
  draw: 'option_refund',
  void: 'option_refund',
}

/** How the stake moves, and what the house adds or keeps. */
function postingsOf({ uid, currency_id: currency, stake: held }: OptionRow, { status, payout }: Settlement): Posting[] {
  const stake = exact(held)
  const frozen = { account: { uid, kind: 'micro', part: 'frozen' }, currency, amount: `-${stake}` } as const
  const house = { account: { platform: 'pnl_option' }, currency } as const
  if (status === 'lost') return [frozen, { ...house, amount: stake }]
  const earned = less(payout, stake)
  if (status !== 'won' || earned === '0') return release(uid, 'micro', currency, stake)
  const available = { account: { uid, kind: 'micro', part: 'available' }, currency, amount: payout } as const
  return [frozen, { ...house, amount: `-${earned}` }, available]
}

/** The notice of a result. */
function noticeOf({ id, symbol, name: market, number: amount, currency_code: coin }: OptionOrder, { status, payout }: Result): Notice {
  const figures = { symbol, market, amount, coin }
  if (status === 'won') return { kind: 'option_won', subject: id, figures: { ...figures, result: payout } }
  return { kind: `option_${status}`, subject: id, figures }
}

/**
 * Settles orders that have expired. The price that settles an order is read from the log of prices: however often it is tried, it happens
 * once and with one result.
 */
export function createSettling(context: MicContext & { reads: Pick<MarketReads, 'logEndAfter' | 'tickAtOrBefore'> }) {
  const { database, store, ledger, coins, notices, clock, reads, shown, announce } = context
  const counts = { won: 0, lost: 0, draw: 0, void: 0 }
  const expired = dueRows(context, {
    name: 'option_expired',
    source: dueTable(database, { table: 'option_order', due: 'due_at', where: sql`status = 'holding'` }),
    everyMs: settleEveryMs,
    together: 200,
    run: (tx, works) =>
      store.expire(
        tx,
        works.map(({ row }) => row),
      ),
    after(orders) {
      for (const order of orders) announce(order, 'update')
    },
  })
  const settled = dueRows(context, {
    name: 'option_settle',
    source: dueTable(database, { table: 'option_order', due: 'due_at', where: sql`status = 'settling'` }),
    everyMs: settleEveryMs,
    first: expired,
    together: togetherMost,
    prepare() {
      const priceAt = settlementPrices(reads)
      return async (order): Promise<(Settlement & { notice: Notice }) | undefined> => {
        const by = await priceAt(order.symbol, order.due_at)
        if (!by) return undefined
        const coin = await coins.one(order.currency_id)
        const result = resultOf(order, by.tick, coin.scale)
        return { ...result, ...by, at: Math.max(clock.now(), order.due_at), notice: noticeOf(shown(order, coin), result) }
      }
    },
    async run(tx, works) {
      const events = works.map(
        ({ row: { id, uid }, row, found }): LedgerEvent => ({
          kind: kinds[found.status],
          source: `option:${id}`,
          uid,
          at: found.at,
          postings: postingsOf(row, found),
        }),
      )
      const messages = works.map(({ row: { uid }, found: { notice } }) => ({ ...notice, uid }))
      const [, after] = await Promise.all([ledger.postAll(tx, events), store.settle(tx, works), notices.notifyAll(tx, messages)])
      return after
    },
    after(orders) {
      for (const order of orders) {
        counts[order.status as Settlement['status']]++
        announce(order, 'insert')
      }
    },
  })
  return { job: settled, counts: () => ({ ...settled.counts(), ...counts }) }
}
