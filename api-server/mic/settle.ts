import Big from 'big.js'
import { mayTryAlone } from '#api-server/idempotency/idempotency.ts'
import { type LedgerEvent, type Posting, release } from '#api-server/ledger/ledger.ts'
import type { MarketReads } from '#api-server/market/market.reads.ts'
import type { MicContext } from '#api-server/mic/context.ts'
import { resultOf } from '#api-server/mic/mic.rules.ts'
import type { OptionRow, Settlement } from '#api-server/mic/mic.store.ts'
import type { EventKind } from '#contract/accounts.ts'
import { plain } from '#contract/money.ts'

/** Orders of one round; what is over waits for the next one. */
const roundMax = 200
/** So many are settled in one transaction at most. */
const togetherMost = 50
/** After a failure of the database so long nothing is tried. */
const pauseMs = 5_000

const kinds: Record<Settlement['status'], EventKind> = {
  won: 'option_win',
  lost: 'option_lose',
  draw: 'option_refund',
  void: 'option_refund',
}

/** How the stake moves, and what the house adds or keeps. */
function postingsOf({ uid, currency_id: currency, stake: held }: OptionRow, { status, payout }: Settlement): Posting[] {
  const stake = plain(new Big(held))
  const frozen = { account: { uid, kind: 'micro', part: 'frozen' }, currency, amount: `-${stake}` } as const
  const house = { account: { platform: 'pnl_option' }, currency } as const
  if (status === 'lost') return [frozen, { ...house, amount: stake }]
  const earned = plain(new Big(payout).minus(stake))
  if (status !== 'won' || earned === '0') return release(uid, 'micro', currency, stake)
  const available = { account: { uid, kind: 'micro', part: 'available' }, currency, amount: payout } as const
  return [frozen, { ...house, amount: `-${earned}` }, available]
}

/** An order that is to be settled, and how. */
interface Due {
  order: OptionRow
  settlement: Settlement
}

interface SettleCounts {
  won: number
  lost: number
  draw: number
  void: number
  failures: number
  /** Between the expiry and the settlement of the last order. */
  delay_ms: number
  /** Orders that the last round found and left. */
  waiting: number
}

/**
 * Settles what has expired: one round after the other, on every node. Orders are rows with a due time, so a node that ends leaves nothing
 * behind but rows that another one, or the same one after its start, finds. The row is locked and its state compared in the transaction that
 * moves the money, and what settles it is read from the log of prices: however often it is tried, it happens once and with one result.
 */
export function createSettling(context: MicContext & { reads: Pick<MarketReads, 'logEndAfter' | 'tickAtOrBefore'> }) {
  const { database, store, ledger, coins, clock, reads, told, log } = context
  const counts: SettleCounts = { won: 0, lost: 0, draw: 0, void: 0, failures: 0, delay_ms: 0, waiting: 0 }
  let pausedUntil = 0

  /** Settles orders in one transaction; those that another node settles, or has settled, are left to it. */
  async function settle(due: readonly Due[]): Promise<void> {
    const done = await database.transaction(async (tx) => {
      const locked = await store.lock(
        tx,
        due.map(({ order }) => order.id),
      )
      const settlements = new Map(due.map(({ order, settlement }) => [order.id, settlement]))
      const settled = locked.map((order) => ({ order, settlement: settlements.get(order.id)! }))
      if (!settled.length) return []
      const events = settled.map(({ order, settlement }): LedgerEvent => {
        const { status, at } = settlement
        return { kind: kinds[status], source: `option:${order.id}`, uid: order.uid, at, postings: postingsOf(order, settlement) }
      })
      const [, after] = await Promise.all([ledger.postAll(tx, events), store.settle(tx, settled)])
      return after
    })
    for (const order of done) {
      counts[order.status as Settlement['status']]++
      counts.delay_ms = order.booked_at! - order.due_at
      told(order, 'insert')
    }
  }
  /** Settles orders together. Where that fails each is tried alone: one that cannot be settled keeps no other waiting. @returns how many need no other round */
  async function settleAll(due: readonly Due[]): Promise<number> {
    try {
      await settle(due)
      return due.length
    } catch (error) {
      if (due.length > 1 && mayTryAlone(error)) {
        let settled = 0
        for (const one of due) settled += await settleAll([one])
        return settled
      }
      counts.failures += due.length
      const orders = due.map(({ order }) => order.id)
      log.error({ err: error, orders }, 'options could not be settled; they are tried again')
      return 0
    }
  }

  /** One round. @returns how many were settled, here or by another node */
  async function round(): Promise<number> {
    const taken = await database.transaction((tx) => store.takeDue(tx, clock.now(), roundMax))
    for (const order of taken) told(order, 'update')
    const orders = await store.settling(roundMax)
    const found = new Map<string, ReturnType<typeof find>>()
    async function find(symbol: string, time: number) {
      const log_end = await reads.logEndAfter(time)
      if (log_end === undefined) return undefined
      const tick = await reads.tickAtOrBefore(symbol, time)
      return { tick, log_end: Math.max(log_end, tick?.id ?? 0) }
    }
    const due: Due[] = []
    for (const order of orders) {
      const key = `${order.symbol} ${order.due_at}`
      const looked = found.get(key) ?? find(order.symbol, order.due_at)
      found.set(key, looked)
      try {
        const by = await looked
        if (!by) continue
        const { scale } = await coins.one(order.currency_id)
        const at = Math.max(clock.now(), order.due_at)
        due.push({ order, settlement: { ...resultOf(order, by.tick, scale), ...by, at } })
      } catch (error) {
        counts.failures++
        log.error({ err: error, order: order.id }, 'an option could not be settled; it is tried again')
      }
    }
    let settled = 0
    for (let from = 0; from < due.length; from += togetherMost) settled += await settleAll(due.slice(from, from + togetherMost))
    counts.waiting = orders.length - settled
    return settled
  }

  return {
    counts: () => counts,
    round,
    /** A round, unless one has failed just now. */
    async work(): Promise<void> {
      if (performance.now() < pausedUntil) return
      const failures = counts.failures
      try {
        await round()
      } catch (error) {
        pausedUntil = performance.now() + pauseMs
        throw error
      }
      if (counts.failures > failures) pausedUntil = performance.now() + pauseMs
    },
  }
}
