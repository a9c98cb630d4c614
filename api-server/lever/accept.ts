import Big from 'big.js'
import type { Currency } from '#api-server/currency/currency.reads.ts'
import { type Accepted, type Asked, acceptance } from '#api-server/kit/acceptance.ts'
import type { LeverContext } from '#api-server/lever/context.ts'
import { leverLimits, rowsIn } from '#api-server/lever/lever.rules.ts'
import type { Close, Position } from '#api-server/lever/lever.store.ts'
import { leverAccount } from '#api-server/lever/postings.ts'
import type { Rows } from '#api-server/lever/rows.ts'
import type { Change, Trade } from '#api-server/lever/trade.ts'
import type { Reached } from '#api-server/lever/triggers/reached.ts'
import { plain } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Tx } from '#server-kit/db/db.ts'

/** An order that a customer has asked for: a position, or an order that waits. */
interface AskedOrder extends Asked {
  coin: Currency
  /** @throws ApiProblem */
  decide(): Change
}
/** A closing that a customer has asked for. */
interface AskedClosing extends Asked {
  /** Number of the position. */
  id: number
  symbol: string
  /** @param row as it stands, locked @throws ApiProblem */
  decide(row: Position): Change & { close: Close }
}

interface AcceptDeps {
  context: Pick<LeverContext, 'store' | 'balances' | 'proofs' | 'reads'>
  trade: Pick<Trade, 'write'>
  rows: Rows
}

async function writeAll<C extends Change>(
  { write }: Pick<Trade, 'write'>,
  tx: Tx,
  accepted: readonly Accepted<unknown, C>[],
): Promise<C[]> {
  const changes = accepted.map(({ effect, key }) => ({ ...effect, event: effect.event && { ...effect.event, key } }))
  await write(tx, changes)
  return changes
}

/** Orders to open positions. */
export const orders = ({ context, trade, rows }: AcceptDeps) =>
  acceptance(context, {
    call: 'lever.orderOpen',
    takes: {
      account: leverAccount,
      coins: ({ coin }: AskedOrder) => [coin.id],
      of: ({ after: { margin, fee, held } }: Change, { coin }) => ({
        currency: coin.id,
        held: plain(new Big(margin).plus(fee).plus(held)),
      }),
      list: {
        get most() {
          return leverLimits.rowsMax
        },
        counts: (counts: ReadonlyMap<number, number>) => counts,
        full: 'too_many_open',
      },
    },
    async look(tx, asked) {
      const uids = [...new Set(asked.map(({ uid }) => uid))]
      const counts = await context.store.counts(uids, undefined, tx)
      return new Map(uids.map((uid) => [uid, rowsIn(counts.get(uid))]))
    },
    decide(work) {
      const effect = work.decide()
      return { effect, answer: rows.position(effect.after, work.coin.scale) }
    },
    write: (tx, accepted) => writeAll(trade, tx, accepted),
  })

/** Closings of positions, or of lots of them. */
export const closings = ({ context, trade, rows, reached }: AcceptDeps & { reached: Reached }) =>
  acceptance(context, {
    call: 'lever.close',
    async look(tx, asked: readonly AskedClosing[]) {
      const ids = [...new Set(asked.map(({ id }) => id))]
      const symbols = [...new Set(asked.map(({ symbol }) => symbol))]
      const [locked, ...ticks] = await Promise.all([context.store.lockAll(tx, ids), ...symbols.map((symbol) => reached.ticks(tx, symbol))])
      return { standing: new Map(locked.map((row) => [row.id, row])), ticks: new Map(symbols.map((symbol, at) => [symbol, ticks[at]!])) }
    },
    decide(work, { standing, ticks }) {
      const row = standing.get(work.id)
      if (row?.uid !== work.uid) throw new ApiProblem('order_unknown', { field: 'id' })
      reached.mustStand(row, ticks.get(row.symbol) ?? [])
      const effect = work.decide(row)
      return { effect, answer: rows.close(effect.close) }
    },
    note: ({ after }, { standing }) => void standing.set(after.id, after),
    write: (tx, accepted) => writeAll(trade, tx, accepted),
  })
