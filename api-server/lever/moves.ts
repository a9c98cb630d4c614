import Big from 'big.js'
import type { Currency } from '#api-server/currency/currency.reads.ts'
import type { LeverContext, Quoted } from '#api-server/lever/context.ts'
import { costOf, isLiquidated, leverLimits, limitFill, openingPrice, stopRefusal } from '#api-server/lever/lever.rules.ts'
import type { Position } from '#api-server/lever/lever.store.ts'
import { opened } from '#api-server/lever/position.ts'
import { leverAccount, moveLines, openLines } from '#api-server/lever/postings.ts'
import { allowed, type Change, changed, type Trade } from '#api-server/lever/trade.ts'
import type { Reached } from '#api-server/lever/triggers/reached.ts'
import type { JudgedTick } from '#api-server/lever/triggers/trigger.rules.ts'
import { createMeans } from '#api-server/trading/means.rules.ts'
import { less, plain } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Tx } from '#server-kit/db/db.ts'

export interface Move {
  /** The new limit, on the step. */
  price: string
  /** The price that fills the order at once, where the market has passed the new limit. */
  now: Quoted | undefined
}

/**
 * Moves waiting orders to another limit. Ticks up to the move count for the old limit: one that has reached it fills the order, also where the node
 * that acts on prices has not come to it yet. Ticks after the move count for the new limit alone.
 */
export function createMoves(
  { balances, proofs, trading, clock }: Pick<LeverContext, 'balances' | 'proofs' | 'trading' | 'clock'>,
  trade: Trade,
  reached: Reached,
) {
  /** @throws ApiProblem('state_wrong') for what does not wait at a limit, or was reached by one of the ticks */
  function mustWait(row: Position, ticks: readonly JudgedTick[]): void {
    if (row.state !== 'entrust' || row.type !== 'limit') throw new ApiProblem('state_wrong')
    reached.mustStand(row, ticks)
  }

  /** By the terms of the order, as it was placed with them. @param since the new limit counts for ticks after this one */
  function moving(row: Position, coin: Currency, { price, now, since }: Move & { since: number }): Change {
    allowed(stopRefusal(row.side, now?.mark ?? price, row.tp, row.sl))
    if (!now) {
      const held = costOf(row, price, coin.scale).total
      const change = changed(row, { state: trade.next(row, 'change'), price, held, since })
      const postings = moveLines(row, less(held, row.held))
      const source = `lever_move:${row.id}:${change.after.rev}`
      return { ...change, event: postings.length ? { kind: 'lever_move', source, uid: row.uid, at: clock.now(), postings } : undefined }
    }
    trade.next(row, 'fill')
    const { tick, priceScale } = trading.instrument(row.symbol)
    const filledAt = limitFill(row.side, price, openingPrice(row.side, now.mark, row.spread, tick))
    const cost = costOf(row, filledAt, coin.scale)
    const set = opened(row, { price: filledAt, quoted: now, ...cost, priceScale }, clock.now())
    if (isLiquidated(row.side, now.mark, set.liquidation)) throw new ApiProblem('multiple_wrong', { field: 'price' })
    const postings = openLines(row, { ...cost, held: row.held })
    return {
      ...changed(row, { ...set, price }),
      event: { kind: 'lever_fill', source: `lever:${row.id}`, uid: row.uid, at: set.opened, postings },
    }
  }

  return {
    /**
     * Moves a row that the caller has locked. One that stands at the price already stays as it is.
     * @throws ApiProblem state_wrong, stop_price_wrong, multiple_wrong, price_stale, account_frozen, currency_closed, insufficient_balance
     */
    async move(tx: Tx, row: Position, coin: Currency, { price, now }: Move): Promise<Position> {
      const { uid, currency, symbol } = row
      // All is locked and read first, so that little time is left for ticks between the decision and the commit.
      const { available } = await balances.locked(tx, uid, leverAccount, currency)
      const status = (await proofs.standings([uid], tx)).get(uid)?.status
      if (now) await trade.mustBeLogged(tx, now)
      const ticks = await reached.ticks(tx, symbol)
      mustWait(row, ticks)
      if (new Big(price).eq(row.price!)) return row
      if (coin.status !== 1) throw new ApiProblem('currency_closed')
      // The last of the log, and the last price.
      const change = moving(row, coin, { price, now, since: Math.max(row.since, ...ticks.slice(-2).map(({ id }) => id)) })
      const { margin, fee, held } = change.after
      const more = less(plain(new Big(margin).plus(fee).plus(held)), row.held)
      const accept = createMeans(new Map([[uid, { status, standing: {} }]]), [{ uid, currency, amount: available }])
      const outcome = accept({ uid, currency, held: more, list: 'rows', most: leverLimits.rowsMax })
      if (outcome !== 'accepted') throw new ApiProblem(outcome)
      await trade.write(tx, [change])
      return change.after
    },
  }
}
