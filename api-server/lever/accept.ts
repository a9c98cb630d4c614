import Big from 'big.js'
import type { Currency } from '#api-server/currency/currency.reads.ts'
import type { GroupedWork, NamedKey, Outcome } from '#api-server/idempotency/idempotency.ts'
import type { LeverContext } from '#api-server/lever/context.ts'
import { leverLimits, rowsIn } from '#api-server/lever/lever.rules.ts'
import type { Position } from '#api-server/lever/lever.store.ts'
import { leverAccount } from '#api-server/lever/postings.ts'
import type { Rows } from '#api-server/lever/rows.ts'
import type { Change, Trade } from '#api-server/lever/trade.ts'
import type { Reached } from '#api-server/lever/triggers/reached.ts'
import type { JudgedTick, Tick } from '#api-server/lever/triggers/trigger.rules.ts'
import { createMeans, type Means } from '#api-server/trading/means.rules.ts'
import type { LeverClose, LeverRow } from '#contract/calls/lever.rows.ts'
import { plain } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Tx } from '#server-kit/db/db.ts'

/** So many orders, or closings, are done in one transaction at most. */
export const groupMost = 64

interface Asked {
  uid: number
  coin: Currency
  /** The tick that it is done at; undefined for an order that waits. */
  tick: Tick | undefined
  /** What was decided last. It is done when the call's answer is of it. */
  change?: Change | undefined
}
/** An order that a customer has asked for: a position, or an order that waits. */
export interface AskedOrder extends Asked {
  /** @throws ApiProblem */
  decide(): Change
}
/** A closing that a customer has asked for. */
export interface AskedClosing extends Asked {
  /** Number of the position. */
  id: number
  symbol: string
  /** @param row as it stands, locked @throws ApiProblem */
  decide(row: Position): Change
}
type IsLogged = (tick: Tick) => boolean
interface LookedOrders {
  means: ReadonlyMap<number, Means>
  available: readonly { uid: number; currency: number; amount: string }[]
  isLogged: IsLogged
}
interface LookedClosings {
  rows: readonly Position[]
  /** What may have fired them, by symbol. */
  ticks: ReadonlyMap<string, readonly JudgedTick[]>
  isLogged: IsLogged
}

interface AcceptDeps {
  context: Pick<LeverContext, 'store' | 'balances' | 'proofs' | 'reads'>
  trade: Pick<Trade, 'write'>
  rows: Rows
}

const ticksOf = (asked: readonly Asked[]) => asked.flatMap(({ tick }) => tick ?? [])
/** A tick that this node has seen, but that never came into the log, settles nothing. */
function mustBeLogged({ tick }: Asked, isLogged: IsLogged): void {
  if (tick && !isLogged(tick)) throw new ApiProblem('price_stale')
}

/** Decides one after the other, and writes what was accepted together. */
function decideAll<W extends Asked, A>(
  { tx, write }: { tx: Tx; write: Trade['write'] },
  works: readonly { work: W; key: NamedKey | undefined }[],
  decide: (work: W) => { change: Change; answer: A },
): { outcomes: Outcome<A>[]; written: Promise<void> } {
  const changes: Change[] = []
  const outcomes = works.map(({ work, key }): Outcome<A> => {
    try {
      const { change, answer } = decide(work)
      work.change = change
      changes.push({ ...change, event: change.event && { ...change.event, key } })
      return { answer }
    } catch (refused) {
      return { refused }
    }
  })
  return { outcomes, written: write(tx, changes) }
}

/** Orders to open positions. */
export function orders({ context, trade, rows }: AcceptDeps): GroupedWork<AskedOrder, LookedOrders, LeverRow> {
  const { store, balances, proofs, reads } = context
  return {
    call: 'lever.orderOpen',
    most: groupMost,
    async look(tx, asked) {
      const uids = [...new Set(asked.map(({ uid }) => uid))]
      const wanted = [...new Map(asked.map(({ uid, coin }) => [`${uid} ${coin.id}`, { uid, currency: coin.id }])).values()]
      // Balances first: their locks make the counts of a customer's orders exact.
      const [held, counts, standings, isLogged] = await Promise.all([
        balances.lockedAll(tx, wanted, leverAccount),
        store.counts(uids, undefined, tx),
        proofs.standings(uids, tx),
        reads.logged(tx, ticksOf(asked)),
      ])
      return {
        isLogged,
        means: new Map(uids.map((uid) => [uid, { status: standings.get(uid)?.status, standing: { rows: rowsIn(counts.get(uid)) } }])),
        available: wanted.map((one, at) => ({ ...one, amount: held[at]!.available })),
      }
    },
    act(tx, works, { means, available, isLogged }) {
      const accept = createMeans(means, available)
      return decideAll({ tx, write: trade.write }, works, (work) => {
        const change = work.decide()
        mustBeLogged(work, isLogged)
        const { uid, margin, fee, held } = change.after
        const asked = { uid, currency: work.coin.id, held: plain(new Big(margin).plus(fee).plus(held)) }
        const outcome = accept({ ...asked, list: 'rows', most: leverLimits.rowsMax })
        if (outcome !== 'accepted') throw new ApiProblem(outcome === 'list_full' ? 'too_many_open' : outcome)
        return { change, answer: rows.position(change.after, work.coin.scale) }
      })
    },
  }
}

/** Closings of positions, or of lots of them. */
export function closings({
  context: { store, reads },
  trade,
  rows,
  reached,
}: AcceptDeps & { reached: Reached }): GroupedWork<AskedClosing, LookedClosings, LeverClose> {
  return {
    call: 'lever.close',
    most: groupMost,
    async look(tx, asked) {
      const ids = [...new Set(asked.map(({ id }) => id))]
      const symbols = [...new Set(asked.map(({ symbol }) => symbol))]
      const [locked, isLogged, ...ticks] = await Promise.all([
        store.lockAll(tx, ids),
        reads.logged(tx, ticksOf(asked)),
        ...symbols.map((symbol) => reached.ticks(tx, symbol)),
      ])
      return { rows: locked, isLogged, ticks: new Map(symbols.map((symbol, at) => [symbol, ticks[at]!])) }
    },
    act(tx, works, { rows: locked, isLogged, ticks }) {
      const standing = new Map(locked.map((row) => [row.id, row]))
      return decideAll({ tx, write: trade.write }, works, (work) => {
        const row = standing.get(work.id)
        if (row?.uid !== work.uid) throw new ApiProblem('order_unknown', { field: 'id' })
        reached.mustStand(row, ticks.get(row.symbol) ?? [])
        const change = work.decide(row)
        mustBeLogged(work, isLogged)
        standing.set(work.id, change.after)
        return { change, answer: rows.close(change.close!) }
      })
    },
  }
}
