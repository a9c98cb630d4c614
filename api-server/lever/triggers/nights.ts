import { sql } from 'kysely'
import type { LeverContext } from '#api-server/lever/context.ts'
import { dayMs, liquidationOf, overnightFee } from '#api-server/lever/lever.rules.ts'
import type { Position } from '#api-server/lever/lever.store.ts'
import { nightLines } from '#api-server/lever/postings.ts'
import type { Tell } from '#api-server/lever/tell.ts'
import { changed, type Trade } from '#api-server/lever/trade.ts'
import type { Reached } from '#api-server/lever/triggers/reached.ts'
import type { Tick } from '#api-server/lever/triggers/trigger.rules.ts'
import { exact, less, sum } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'
import { dueRows } from '#server-kit/due/due-rows.ts'
import { dueTable } from '#server-kit/due/due-table.ts'

const nightsEveryMs = 1_000
/** Positions that are charged at a time. */
const atOnce = 8
/** Nights whose prices are remembered. */
const pricesKept = 1_000

interface Night {
  price: string
  tick: number
  /** Ticks up to 00:00 that may have fired something which is not done yet. */
  undecided: Tick[]
}

/**
 * Overnight fees: one for each position and night, at the last price of the log up to 00:00 UTC. Actions that ticks up to then have fired
 * come first, also where the node that acts on prices has not marked them yet: the levels of a charged position count for later ticks
 * alone.
 */
export function createNights(context: LeverContext, trade: Trade, tell: Tell, reached: Reached) {
  const { database, store, reads, trading, clock } = context
  const prices = new Map<string, Promise<Night | undefined>>()
  const counts = { nights: 0 }

  /** @throws ApiProblem('busy') while the log may lack ticks of the time before */
  async function readPrice(symbol: string, night: number): Promise<Night | undefined> {
    if ((await reads.logEndAfter(night)) === undefined) throw new ApiProblem('busy')
    const found = await reads.tickAtOrBefore(symbol, night)
    return found && { price: exact(found.price), tick: found.id, undecided: await store.undecided(symbol, found.id) }
  }
  function priceAt(symbol: string, night: number) {
    const name = `${symbol} ${night}`
    let price = prices.get(name)
    if (!price) {
      if (prices.size >= pricesKept) prices.clear()
      price = readPrice(symbol, night)
      prices.set(name, price)
      price.catch(() => prices.delete(name))
    }
    return price
  }

  /** @returns the row after that night, or as a tick before it has fired it; as it is when the night was charged in the meantime, or the position is no longer open */
  async function charge(id: number, night: number): Promise<Position | undefined> {
    const asked = await store.one(id)
    if (asked?.state !== 'open' || asked.next_night !== night) return asked
    const coin = await context.coins.quoteOf(trading.instrument(asked.symbol).quote)
    const known = await priceAt(asked.symbol, night)
    const done = await database.transaction(async (tx) => {
      const row = await store.lock(tx, id)
      if (row?.state !== 'open' || row.next_night !== night || row.open_price === null) return { before: row, after: row }
      const fired = reached.firedBy(row, await reached.judged(tx, known?.undecided ?? []))
      if (fired && fired.due !== 'fill') {
        const { due, tick } = fired
        const change = trade.firing(row, due, { tick, mark: exact(tick.price) })
        await trade.write(tx, [change])
        return change
      }
      const at = known ?? { price: row.open_price, tick: row.open_tick! }
      const fee = overnightFee(row, at.price, coin.scale)
      const margin = less(row.margin, fee)
      const liquidation = liquidationOf({ ...row, open_price: row.open_price, margin }, trading.instrument(row.symbol).priceScale)
      const now = clock.now()
      await store.night(tx, {
        position_id: id,
        night,
        uid: row.uid,
        currency: row.currency,
        price: at.price,
        tick_id: at.tick,
        fee,
        at: now,
      })
      const postings = nightLines(row, fee)
      const change = changed(row, {
        margin,
        liquidation,
        next_night: night + dayMs,
        since: Math.max(row.since, at.tick),
        overnight: sum(row.overnight, fee),
        result: less(row.result, fee),
      })
      const source = `lever_overnight:${id}:${night}`
      const event = postings.length ? ({ kind: 'lever_overnight', source, uid: row.uid, at: now, postings } as const) : undefined
      await trade.write(tx, [{ ...change, event }])
      return change
    })
    const { before, after } = done
    if (before && after && before !== after) {
      if (after.state === 'open') counts.nights++
      tell.happened({ before, after })
    }
    return after
  }

  /** Charges every night of a position up to a moment. @returns the row as it is then */
  async function catchUp(position: Position, until: number): Promise<Position> {
    let row = position
    while (row.state === 'open' && row.next_night !== null && row.next_night <= until) {
      const after = await charge(row.id, row.next_night)
      if (!after) return row
      row = after
    }
    return row
  }

  const source = dueTable(database, { table: 'lever_position', due: 'next_night', where: sql`state = 'open'` })
  return {
    counts,
    catchUp,
    /** Charges the nights of all positions. */
    job: dueRows(context, {
      name: 'contract_nights',
      source,
      everyMs: nightsEveryMs,
      atOnce,
      each: async (row) => (await reads.logEndAfter(row.next_night!)) !== undefined && catchUp(row, clock.now()),
    }),
    /** Open positions with a night up to a moment that is not charged. */
    owed: async (until: number) => (await source.waiting(until)).waiting,
  }
}
export type Nights = ReturnType<typeof createNights>
