import type { LeverContext } from '#api-server/lever/context.ts'
import { averageExit, isLiquidated, listOfState } from '#api-server/lever/lever.rules.ts'
import type { Close, Position } from '#api-server/lever/lever.store.ts'
import type { LeverClose, LeverRow } from '#contract/calls/lever.rows.ts'
import { contractMarginRatio } from '#contract/functions/contract.marginRatio.function.ts'
import { contractProfit } from '#contract/functions/contract.profit.function.ts'
import { exact, less } from '#contract/money.ts'
import { closingResult } from '#contract/rules/closing.rules.ts'

/** Orders, positions and closings as calls answer and topics push them. */
export type Rows = ReturnType<typeof createRows>

export function createRows({ trading, reads }: Pick<LeverContext, 'trading' | 'reads'>) {
  const market = (symbol: string) => {
    const { match_id, name, base, quote } = trading.instrument(symbol)
    return { match_id, symbol, name, base, currency_code: quote }
  }
  const markOf = (symbol: string) => {
    const price = reads.lastPrice(symbol)?.price
    return price === undefined ? null : exact(price)
  }

  const close = ({ uid: _, currency: __, at, ...row }: Close): LeverClose => ({
    ...row,
    ...market(row.symbol),
    result: closingResult(row),
    time: at,
  })

  return {
    market,
    markOf,
    /** @param scale decimals of the coin @param mark the price that it is worth now; left out: the last one */
    position(row: Position, scale: number, mark = markOf(row.symbol)): LeverRow {
      const { id, uid: _, currency: __, state, open_price, margin, liquidation } = row
      const isOpen = state === 'open' || state === 'closing'
      const prices = open_price === null || mark === null || !isOpen ? undefined : { side: row.side, from: open_price, to: mark }
      const held = { lots: row.lots, lot_size: row.lot_size, scale }
      return {
        id,
        ...market(row.symbol),
        status: state,
        list: listOfState(state),
        rev: row.rev,
        side: row.side,
        type: row.type,
        multiple: row.multiple,
        lots: row.state === 'closed' ? row.lots_closed : row.lots,
        lot_size: row.lot_size,
        price: row.price,
        open_price,
        margin,
        held: row.held,
        target_profit_price: row.tp,
        stop_loss_price: row.sl,
        liquidation_price: liquidation,
        closes_at_opening: row.exit_since !== null && isOpen,
        stop_beyond_liquidation: row.sl !== null && isLiquidated(row.side, row.sl, liquidation),
        fee_rate: row.fee_rate,
        maintenance_rate: row.maintenance_rate,
        overnight_rate: row.overnight_rate,
        spread: row.spread,
        mark,
        unrealised: prices ? contractProfit.run({ ...prices, ...held }) : null,
        margin_ratio: prices ? contractMarginRatio.run({ ...prices, ...held, margin, maintenance_rate: row.maintenance_rate }) : null,
        profit: row.profit,
        fee: row.fee,
        overnight: row.overnight,
        overnight_open: less(row.overnight, row.overnight_closed),
        result: row.result,
        close_price: row.close_price,
        exit_price: averageExit(row.closed_worth, row.lots_closed, trading.instrument(row.symbol).priceScale),
        close_reason: row.close_reason,
        cancel_reason: row.cancel_reason,
        created: row.created,
        opened: row.opened,
        ended: row.ended,
      }
    },
    close,
  }
}
