import Big from 'big.js'
import type { Proofs } from '#api-server/account/proof.ts'
import type { LedgerReads } from '#api-server/ledger/ledger.reads.ts'
import { freeze, type Ledger } from '#api-server/ledger/ledger.ts'
import { decideOrder, isMovable, type SpotMarket } from '#api-server/spot/market.rules.ts'
import { spotAccount } from '#api-server/spot/settle.ts'
import { openOrdersMax, type SpotStore } from '#api-server/spot/spot.store.ts'
import { createMeans } from '#api-server/trading/means.rules.ts'
import type { Trading } from '#api-server/trading/trading.ts'
import { less, plain } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Tx } from '#server-kit/db/db.ts'
import type { Clock } from '#server-kit/ops/clock.ts'

interface Move {
  id: number
  /** The customer whose order it is. */
  uid: number
  market: SpotMarket
  /** A coin of the market is closed. */
  isClosed: boolean
  /** The new limit. */
  price: string
}

/** Any node takes a request to move an order; the node that matches does it, see `moveOrder`. */
export function createMoves(deps: {
  store: SpotStore
  ledger: Ledger
  balances: LedgerReads
  proofs: Pick<Proofs, 'standings'>
  trading: Trading
  lastPrice: (symbol: string) => string | undefined
  clock: Clock
}) {
  const { store, ledger, balances, proofs, trading, lastPrice, clock } = deps

  /** As if what is left of the order were placed at the new limit now. @throws ApiProblem */
  function mustBeAllowed({ market, isClosed, price }: Move, { isBuy, left }: { isBuy: boolean; left: string }): void {
    if (isClosed) throw new ApiProblem('currency_closed')
    const { symbol } = market
    const { terms } = trading.terms('spot', symbol)
    trading.mustBeOpen(symbol)
    const ask = { isBuy, isMarket: false, price, quantity: left, budget: undefined }
    const outcome = decideOrder(market, terms, ask, lastPrice(symbol))
    if (outcome !== 'asked') throw new ApiProblem(outcome, outcome === 'price_stale' ? {} : { field: 'price' })
  }

  return {
    /**
     * Notes the new limit of a customer's order, and freezes at once what a buyer needs for it beside what the order holds.
     * @returns whether the order is to be moved: at its own price it stays as it is; and its limit before, which answers of earlier builds lack
     * @throws ApiProblem
     */
    async ask(tx: Tx, move: Move): Promise<{ waits: boolean; before?: string }> {
      const { id, uid, market, price } = move
      const [{ available }, found] = await Promise.all([balances.locked(tx, uid, spotAccount, market.quote.id), store.locked(tx, id)])
      const order = found!
      if (!isMovable(order)) throw new ApiProblem('state_wrong', { field: 'id' })
      const before = order.price!
      if (new Big(price).eq(before)) return { waits: false, before }
      const { version } = order
      const isBuy = order.side === 'buy'
      const left = less(order.quantity!, order.filled)
      mustBeAllowed(move, { isBuy, left })
      const more = isBuy ? new Big(price).minus(before).times(left) : new Big(0)
      const [extra, currency] = [more.gt(0) ? plain(more) : '0', market.quote.id]
      const status = (await proofs.standings([uid], tx)).get(uid)?.status
      const accept = createMeans(new Map([[uid, { status, standing: {} }]]), [{ uid, currency, amount: available }])
      const outcome = accept({ uid, currency, held: extra, list: 'orders', most: openOrdersMax })
      if (outcome !== 'accepted') throw new ApiProblem(outcome)
      await store.askMove(tx, id, price, extra)
      if (extra !== '0') {
        const source = `spot_move:${id}:${version}`
        await ledger.post(tx, { kind: 'spot_move', source, uid, at: clock.now(), postings: freeze(uid, spotAccount, currency, extra) })
      }
      return { waits: true, before }
    },
  }
}
