import Big from 'big.js'
import { dayMs, liquidationOf, overnightFee } from '#api-server/lever/lever.rules.ts'
import type { Position } from '#api-server/lever/lever.store.ts'
import { type LeverParts, quoteCoin } from '#api-server/lever/parts.ts'
import { nightLines } from '#api-server/lever/postings.ts'
import type { Tell } from '#api-server/lever/tell.ts'
import { plain } from '#contract/money.ts'

/** Nights whose prices are remembered. */
const pricesKept = 1_000

/** Overnight fees: one for each position and night, at the last price of the log up to 00:00 UTC. */
export function createNights(parts: LeverParts, tell: Tell) {
  const { database, store, ledger, reads, trading, clock } = parts
  const prices = new Map<string, Promise<{ price: string; tick: number } | undefined>>()
  const counts = { nights: 0 }

  function priceAt(symbol: string, night: number) {
    const name = `${symbol} ${night}`
    let price = prices.get(name)
    if (!price) {
      if (prices.size >= pricesKept) prices.clear()
      price = reads.tickAtOrBefore(symbol, night).then((found) => found && { price: plain(new Big(found.price)), tick: found.id })
      prices.set(name, price)
      price.catch(() => prices.delete(name))
    }
    return price
  }

  /** @returns the row after that night; as it is when the night was charged in the meantime, or the position is no longer open */
  async function charge(id: number, night: number): Promise<Position | undefined> {
    const asked = await store.one(id)
    if (asked?.state !== 'open' || asked.next_night !== night) return asked
    const coin = await quoteCoin(parts, trading.instrument(asked.symbol))
    const known = await priceAt(asked.symbol, night)
    const done = await database.transaction(async (tx) => {
      const row = await store.lock(tx, id)
      if (row?.state !== 'open' || row.next_night !== night || row.open_price === null) return { before: row, after: row }
      const at = known ?? { price: row.open_price, tick: row.open_tick! }
      const fee = overnightFee(row, at.price, coin.scale)
      const margin = plain(new Big(row.margin).minus(fee))
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
      if (postings.length)
        await ledger.post(tx, { kind: 'lever_overnight', source: `lever_overnight:${id}:${night}`, uid: row.uid, at: now, postings })
      const after = await store.update(tx, row, {
        ...{ margin, liquidation, next_night: night + dayMs, since: Math.max(row.since, at.tick) },
        ...{ overnight: plain(new Big(row.overnight).plus(fee)), result: plain(new Big(row.result).minus(fee)) },
      })
      return { before: row, after }
    })
    const { before, after } = done
    if (before && after && before !== after) {
      counts.nights++
      tell.happened({ before, after })
    }
    return after
  }

  return {
    counts,
    /** Charges every night of a position up to a moment. @returns the row as it is then */
    async catchUp(position: Position, until: number): Promise<Position> {
      let row = position
      while (row.state === 'open' && row.next_night !== null && row.next_night <= until) {
        const after = await charge(row.id, row.next_night)
        if (!after) return row
        row = after
      }
      return row
    },
  }
}
export type Nights = ReturnType<typeof createNights>
