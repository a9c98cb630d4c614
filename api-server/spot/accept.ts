import type { Proofs } from '#api-server/account/proof.ts'
import type { GroupedWork, Outcome } from '#api-server/idempotency/idempotency.ts'
import type { LedgerReads } from '#api-server/ledger/ledger.reads.ts'
import { freeze, type Ledger, type LedgerEvent } from '#api-server/ledger/ledger.ts'
import type { Engine } from '#api-server/spot/engine.ts'
import { coinsOf, heldBy, type SpotMarket } from '#api-server/spot/market.rules.ts'
import { spotAccount } from '#api-server/spot/settle.ts'
import { type NewOrder, type OrderState, openOrdersMax, type SpotOrder, type SpotStore } from '#api-server/spot/spot.store.ts'
import { createMeans, type Means } from '#api-server/trading/means.rules.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Tx } from '#server-kit/db/db.ts'

/** So many orders are accepted in one transaction at most. */
const groupMost = 64

/** An order that a customer has asked for. */
export interface AskedOrder {
  uid: number
  market: SpotMarket
  side: NewOrder['side']
  /** The order, by the terms and the price of the moment. @throws ApiProblem */
  decide(): NewOrder
  /** As it was matched with its acceptance; undefined for one that waits to be matched. */
  matched?: SpotOrder | undefined
}
interface Looked {
  isMatched: boolean
  means: ReadonlyMap<number, Means>
  available: readonly { uid: number; currency: number; amount: string }[]
}

const coinOf = ({ market, side }: AskedOrder) => (side === 'buy' ? market.quote : market.base).id

/** An order before it was matched. What is spread stands last: Node 20 adds members after a spread many times slower. */
const waiting = (order: NewOrder): SpotOrder => ({
  filled: '0',
  value: '0',
  fee: '0',
  status: 'new',
  reason: '',
  rank: null,
  cancelling: false,
  moving: null,
  extra: '0',
  moved: false,
  version: 1,
  changed_at: order.created_at,
  ...order,
})

/** Accepts orders: writes them and freezes what they hold. On the node that matches, they are matched in the same transaction. */
export function acceptance(deps: {
  store: SpotStore
  ledger: Ledger
  balances: LedgerReads
  proofs: Pick<Proofs, 'standings'>
  engine: Pick<Engine, 'around' | 'mayMatch' | 'openCounts' | 'match'>
}): GroupedWork<AskedOrder, Looked, { id: number }> {
  const { store, ledger, balances, proofs, engine } = deps
  return {
    call: 'c2c.trade',
    most: groupMost,
    around: engine.around,
    async look(tx, asked, isAround) {
      const uids = [...new Set(asked.map(({ uid }) => uid))]
      // Both coins of each market: a match changes the other one too.
      const coins = asked.flatMap(({ uid, market }) => coinsOf(market).map((currency) => ({ uid, currency })))
      const wanted = [...new Map(coins.map((one) => [`${one.uid} ${one.currency}`, one])).values()]
      // Balances first: their locks make the counts exact for orders of the same market. Orders of one customer for different markets that come
      // to two nodes at once may pass the limit by one or two.
      const [held, isMatched, standings] = await Promise.all([
        balances.lockedAll(tx, wanted, spotAccount),
        isAround && engine.mayMatch(tx, [...new Set(asked.map(({ market }) => market.symbol))], uids),
        proofs.standings(uids, tx),
      ])
      const open = isMatched ? engine.openCounts(uids) : await store.openCounts(tx, uids)
      return {
        isMatched,
        means: new Map(uids.map((uid) => [uid, { status: standings.get(uid)?.status, standing: { orders: open.get(uid) ?? 0 } }])),
        available: wanted.map((one, at) => ({ ...one, amount: held[at]!.available })),
      }
    },
    act(tx, works, { isMatched, means, available }) {
      const accept = createMeans(means, available)
      const accepted: { work: AskedOrder; order: SpotOrder }[] = []
      const events: LedgerEvent[] = []
      const outcomes = works.map(({ work, key }): Outcome<{ id: number }> => {
        try {
          const order = waiting(work.decide())
          work.matched = undefined
          const [currency, held] = [coinOf(work), heldBy(order)]
          const outcome = accept({ uid: order.uid, currency, held, list: 'orders', most: openOrdersMax })
          if (outcome !== 'accepted') throw new ApiProblem(outcome)
          accepted.push({ work, order })
          events.push({
            kind: 'spot_order',
            source: `spot:${order.id}`,
            uid: order.uid,
            at: order.created_at,
            key,
            postings: freeze(order.uid, spotAccount, currency, held),
          })
          return { answer: { id: order.id } }
        } catch (refused) {
          return { refused }
        }
      })
      const orders = accepted.map(({ order }) => order)
      if (!orders.length) return { outcomes, written: Promise.resolve() }
      if (!isMatched) return { outcomes, written: Promise.all([store.add(tx, orders), ledger.postAll(tx, events)]) }
      const matched = engine.match(tx, orders, events)
      for (const [at, { work }] of accepted.entries()) work.matched = matched.orders[at]
      return { outcomes, written: matched.written }
    },
  }
}

/** What a customer wants to be cancelled. */
export interface AskedCancel {
  uid: number
  /** The orders, once they are cancelled; undefined where they wait for it. */
  cancelled?: SpotOrder[] | undefined
}
interface CancelOptions<W, A> {
  call: 'c2c.cancel' | 'c2c.cancelAll'
  most: number
  find(tx: Tx, asked: readonly W[]): Promise<OrderState[]>
  /** Those of the orders that were found that this is about. @throws ApiProblem */
  choose(asked: W, found: readonly OrderState[]): OrderState[]
  answer(ids: number[]): A
}

/** Cancels orders. On the node that matches it is done at once; other nodes note that it is to be done. */
export function cancellation<W extends AskedCancel, A>(
  { store, engine }: { store: SpotStore; engine: Pick<Engine, 'around' | 'mayMatch' | 'cancel'> },
  { call, most, find, choose, answer }: CancelOptions<W, A>,
): GroupedWork<W, { found: OrderState[]; isMatched: boolean }, A> {
  return {
    call,
    most,
    around: engine.around,
    async look(tx, asked, isAround) {
      const found = await find(tx, asked)
      return { found, isMatched: isAround && (await engine.mayMatch(tx, [...new Set(found.map(({ symbol }) => symbol))])) }
    },
    act(tx, works, { found, isMatched }) {
      const chosen: { work: W; ids: number[] }[] = []
      const outcomes = works.map(({ work }): Outcome<A> => {
        try {
          const ids = choose(work, found).map(({ id }) => id)
          work.cancelled = undefined
          chosen.push({ work, ids })
          return { answer: answer(ids) }
        } catch (refused) {
          return { refused }
        }
      })
      const all = chosen.flatMap(({ ids }) => ids)
      if (!all.length) return { outcomes, written: Promise.resolve() }
      if (!isMatched) return { outcomes, written: store.askCancel(tx, all) }
      const written = engine.cancel(tx, all).then((orders) => {
        for (const { work, ids } of chosen) work.cancelled = orders.filter(({ id }) => ids.includes(id))
      })
      return { outcomes, written }
    },
  }
}
