import { type AcceptanceDeps, type Asked, acceptance } from '#api-server/kit/acceptance.ts'
import { freeze, type Ledger, type LedgerEvent } from '#api-server/ledger/ledger.ts'
import { coinsOf, heldBy, type SpotMarket } from '#api-server/spot/market.rules.ts'
import type { Matcher } from '#api-server/spot/matcher.ts'
import { spotAccount } from '#api-server/spot/settle.ts'
import { type NewOrder, type OrderState, openOrdersMax, type SpotOrder, type SpotStore } from '#api-server/spot/spot.store.ts'
import type { Tx } from '#server-kit/db/db.ts'

/** An order that a customer has asked for. */
interface AskedOrder extends Asked {
  market: SpotMarket
  side: NewOrder['side']
  /** The order, by the terms and the price of the moment. @throws ApiProblem */
  decide(): NewOrder
}
interface AcceptDeps extends AcceptanceDeps {
  store: SpotStore
  ledger: Ledger
  matcher: Pick<Matcher, 'around' | 'mayMatch' | 'openCounts' | 'match' | 'cancel'>
}

const coinOf = ({ market, side }: AskedOrder) => (side === 'buy' ? market.quote : market.base).id

/** An order before it was matched. Spread members stand last: Node 20 adds members after a spread many times slower. */
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

/**
 * Accepts orders: writes them and freezes what they hold. On the node that matches, they are matched in the same transaction, and
 * announced in that state; the others wait to be matched.
 */
export const orders = (context: AcceptDeps) => {
  const { store, ledger, matcher } = context
  return acceptance(context, {
    call: 'c2c.trade',
    around: matcher.around,
    takes: {
      account: spotAccount,
      // Both coins of each market: a match changes the other one too.
      coins: ({ market }: AskedOrder) => coinsOf(market),
      of: (order: SpotOrder, work) => ({ currency: coinOf(work), held: heldBy(order) }),
      // Orders of one customer for different markets that come to two nodes at once may pass the limit by one or two.
      list: { most: openOrdersMax, counts: ({ open }: { isMatched: boolean; open: Map<number, number> }) => open, full: 'list_full' },
    },
    async look(tx, asked, isAround) {
      const uids = [...new Set(asked.map(({ uid }) => uid))]
      const isMatched = isAround && (await matcher.mayMatch(tx, [...new Set(asked.map(({ market }) => market.symbol))], uids))
      return { isMatched, open: isMatched ? matcher.openCounts(uids) : await store.openCounts(tx, uids) }
    },
    decide(work) {
      const order = waiting(work.decide())
      return { answer: { id: order.id }, effect: order }
    },
    async write(tx, accepted, { isMatched }): Promise<SpotOrder[]> {
      const placed = accepted.map(({ effect }) => effect)
      const events = accepted.map(({ work, effect, key }): LedgerEvent => {
        const { id, uid, created_at: at } = effect
        const postings = freeze(uid, spotAccount, coinOf(work), heldBy(effect))
        return { kind: 'spot_order', source: `spot:${id}`, uid, at, key, postings }
      })
      if (isMatched) {
        const matched = matcher.match(tx, placed, events)
        await matched.written
        return matched.orders
      }
      await Promise.all([store.add(tx, placed), ledger.postAll(tx, events)])
      return []
    },
  })
}

interface CancelOptions<W, A> {
  call: 'c2c.cancel' | 'c2c.cancelAll'
  most: number
  find(tx: Tx, asked: readonly W[]): Promise<OrderState[]>
  /** Those of the orders that were found that this is about. @throws ApiProblem */
  choose(asked: W, found: readonly OrderState[]): OrderState[]
  answer(ids: number[]): A
}

/** Cancels orders. On the node that matches it is done at once, and they are announced in that state; other nodes record the request. */
export const cancellation = <W extends Asked, A>(context: AcceptDeps, { call, most, find, choose, answer }: CancelOptions<W, A>) =>
  acceptance(context, {
    call,
    most,
    around: context.matcher.around,
    async look(tx, asked: readonly W[], isAround) {
      const found = await find(tx, asked)
      return { found, isMatched: isAround && (await context.matcher.mayMatch(tx, [...new Set(found.map(({ symbol }) => symbol))])) }
    },
    decide(work, { found }) {
      const ids = choose(work, found).map(({ id }) => id)
      return { answer: answer(ids), effect: ids }
    },
    async write(tx, accepted, { isMatched }): Promise<SpotOrder[][]> {
      const all = accepted.flatMap(({ effect }) => effect)
      if (all.length && isMatched) {
        const cancelled = await context.matcher.cancel(tx, all)
        return accepted.map(({ effect }) => cancelled.filter(({ id }) => effect.includes(id)))
      }
      if (all.length) await context.store.askCancel(tx, all)
      return []
    },
  })
