import Big from 'big.js'
import { sql } from 'kysely'
import type { LeverContext } from '#api-server/lever/context.ts'
import type { CloseReason, LeverSide } from '#contract/calls/lever.rows.ts'
import { contractNotional } from '#contract/functions/contract.notional.function.ts'
import { contractProfit } from '#contract/functions/contract.profit.function.ts'
import { exact, less, plain } from '#contract/money.ts'
import '#api-server/lever/lever.migration.ts'
import type { Tx } from '#server-kit/db/db.ts'
import { pageOf } from '#server-kit/http/list-bounds.ts'

/** The open exposure of the house in one symbol. Amounts in the quote coin; the house loses what customers win. */
export interface Exposure {
  symbol: string
  base: string
  currency_code: string
  positions: number
  /** Base coin that customers hold long and short. */
  long: string
  short: string
  margin: string
  /** Worth of the difference at the last price; below 0 when customers are short. Null before the first price. */
  net: string | null
  /** Of all customers together, at the last price. */
  unrealised: string | null
}
export interface Liquidation {
  id: number
  position_id: number
  uid: number
  symbol: string
  currency_code: string
  side: LeverSide
  lots: string
  price: string
  margin: string
  /** The amount that was left for the insurance fund, or below 0 the amount that it paid. */
  insurance: string
  reason: CloseReason
  time: number
}

/**
 * Positions and orders, for the SQL of other modules: `from ${positions} p`. Columns: id, uid, symbol, currency, side, multiple, state, lots (of
 * those that are open), lot_size, open_price, opened, ended (ms UTC), result (of what is closed, and of nights).
 */
export const positions = sql`(select id, uid, symbol, currency, side, multiple, state, lots, lot_size, open_price, opened, ended, result from lever_position)`

export type LeverReads = ReturnType<typeof createLeverReads>

interface Group {
  symbol: string
  side: LeverSide
  positions: number
  quantity: string
  worth: string
  margin: string
}

/** Reads of contracts for the back office. */
export function createLeverReads({
  database: { db },
  balances,
  coins,
  reads,
  trading,
}: Pick<LeverContext, 'database' | 'balances' | 'coins' | 'reads' | 'trading'>) {
  const liquidated = () =>
    db
      .selectFrom('lever_close')
      .where(({ eb, or }) => or([eb('reason', '=', 'liquidated'), eb('insurance', '<', '0')]))
      .select(['id', 'position_id', 'uid', 'symbol', 'side', 'lots', 'price', 'margin', 'insurance', 'reason', 'at'])
  const liquidation = ({ at, ...row }: Omit<Liquidation, 'currency_code' | 'time'> & { at: number }): Liquidation => ({
    ...row,
    currency_code: trading.instrument(row.symbol).quote,
    time: at,
  })

  return {
    /** How many open positions a customer has. */
    async openOf(uid: number, tx?: Tx): Promise<number> {
      const of = (tx ?? db).selectFrom('lever_position').where('uid', '=', uid).where('state', 'in', ['open', 'closing'])
      return (await of.select(sql<number>`count(*)::int`.as('open')).executeTakeFirstOrThrow()).open
    },
    /** Symbols with open positions, by name. */
    async exposure(): Promise<Exposure[]> {
      const { rows } = await sql<Group>`select symbol, side, count(*)::int as positions, sum(lots * lot_size)::text as quantity,
        sum(lots * lot_size * open_price)::text as worth, sum(margin)::text as margin
        from lever_position where state in ('open', 'closing') group by symbol, side order by symbol, side`.execute(db)
      return [...new Set(rows.map(({ symbol }) => symbol))].map((symbol) => {
        const of = rows.filter((row) => row.symbol === symbol)
        const sum = (name: 'quantity' | 'margin', side?: LeverSide) =>
          plain(of.filter((row) => side === undefined || row.side === side).reduce((all, row) => all.plus(row[name]), new Big(0)))
        const { base, quote } = trading.instrument(symbol)
        const [long, short, price] = [sum('quantity', 'long'), sum('quantity', 'short'), reads.lastPrice(symbol)?.price]
        const net = price === undefined ? null : contractNotional.run({ lots: less(long, short), lot_size: '1', price })
        const profit = ({ side, quantity, worth }: Group) => {
          // At the average price of the side, so that one profit stands for all.
          const from = plain(new Big(worth).div(quantity))
          return contractProfit.run({ side, from, to: price!, lots: quantity, lot_size: '1', scale: 2 })
        }
        return {
          symbol,
          base,
          currency_code: quote,
          positions: of.reduce((all, row) => all + row.positions, 0),
          long,
          short,
          margin: sum('margin'),
          net,
          unrealised: price === undefined ? null : plain(of.reduce((all, row) => all.plus(profit(row)), new Big(0))),
        }
      })
    },
    /** Returns the amounts that liquidations left to the insurance fund, and closings that it paid for, newest first. */
    async liquidations(page: { offset: number; size: number }): Promise<{ list: Liquidation[]; total: number }> {
      const { rows, total } = await pageOf(db, liquidated().orderBy('at', 'desc').orderBy('id', 'desc'), page, null)
      return { list: rows.map(liquidation), total }
    },
    /** The next ones for a file, newest first. @param before id of the last row that was written */
    async liquidationsBefore(before: number | undefined, limit: number): Promise<Liquidation[]> {
      const asked = before === undefined ? liquidated() : liquidated().where('id', '<', before)
      return (await asked.orderBy('id', 'desc').limit(limit).execute()).map(liquidation)
    },
    /** The insurance fund by currency; below 0 when it has paid more than it got. */
    async insurance(): Promise<{ currency_code: string; balance: string }[]> {
      const [rows, list] = await Promise.all([balances.platform('insurance'), coins.list()])
      return rows.map(({ currency, balance }) => ({
        currency_code: list.find(({ id }) => id === currency)?.code ?? String(currency),
        balance: exact(balance),
      }))
    },
  }
}
