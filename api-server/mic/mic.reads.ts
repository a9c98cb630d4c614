import { sql } from 'kysely'
import type { MicContext } from '#api-server/mic/context.ts'
import { runningStates } from '#api-server/mic/mic.rules.ts'
import type { Trading } from '#api-server/trading/trading.ts'
import type { OptionType } from '#contract/calls/mic.calls.ts'
import { exact } from '#contract/money.ts'
import '#api-server/mic/mic.migration.ts'

/** The open exposure of the house in the options of one symbol. Amounts in the quote coin. */
interface OptionExposure {
  symbol: string
  currency_code: string
  orders: number
  up_stake: string
  down_stake: string
  /** The amount that would be credited if all of a side won, stakes included. */
  up_payout: string
  down_payout: string
}
export type MicReads = ReturnType<typeof createMicReads>

interface Group {
  symbol: string
  type: OptionType
  orders: number
  stake: string
  payout: string
}

/** The result of options that were settled on a day. */
export interface OptionDay {
  /** ms UTC; its first instant. */
  day: number
  /** Payouts less stakes. */
  profit: string
  settled: number
}

/** Reads of seconds options for the rest of the server. */
export function createMicReads({
  database: { db },
  coins,
  trading,
}: Pick<MicContext, 'database' | 'coins'> & { trading: Pick<Trading, 'instrument'> }) {
  return {
    /** Symbols with open options, by name. */
    async exposure(): Promise<OptionExposure[]> {
      const list = await coins.list()
      // Each payout is cut at the decimals of its coin, as `option.payout` does it.
      const { rows } = await sql<Group>`select o.symbol, o.type, count(*)::int as orders, sum(o.stake)::text as stake,
          sum(o.stake + trunc(o.stake * o.rate, c.scale))::text as payout
        from option_order o join unnest(${list.map(({ id }) => id)}::int[], ${list.map(({ scale }) => scale)}::int[]) as c (id, scale)
          on c.id = o.currency_id
        where o.status = any(${[...runningStates]}::text[]) group by o.symbol, o.type order by o.symbol`.execute(db)
      return [...new Set(rows.map(({ symbol }) => symbol))].map((symbol) => {
        const of = (type: OptionType) => rows.find((row) => row.symbol === symbol && row.type === type)
        const [up, down] = [of('up'), of('down')]
        const amount = (text = '0') => exact(text)
        return {
          symbol,
          currency_code: trading.instrument(symbol).quote,
          orders: (up?.orders ?? 0) + (down?.orders ?? 0),
          up_stake: amount(up?.stake),
          down_stake: amount(down?.stake),
          up_payout: amount(up?.payout),
          down_payout: amount(down?.payout),
        }
      })
    },
    /** Days of [from, to) on which options of a customer were settled in a coin, oldest first. */
    async days(uid: number, currency: number, from: number, to: number): Promise<OptionDay[]> {
      const { rows } = await sql<OptionDay>`select settled_at - settled_at % 86400000 as day, sum(payout - stake)::text as profit,
          count(*)::int as settled from option_order
        where uid = ${uid} and currency_id = ${currency} and settled_at >= ${from} and settled_at < ${to}
        group by day order by day`.execute(db)
      return rows
    },
  }
}
