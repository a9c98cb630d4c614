import Big from 'big.js'
import type { DualContext } from '#api-server/dual/dual.handlers.ts'
import { maturityMs, saleEndsBeforeMs } from '#api-server/dual/dual.rules.ts'
import type { DualProduct } from '#api-server/dual/dual.store.ts'
import { percentOf } from '#api-server/kit/terms.rules.ts'
import type { OpenTerms } from '#api-server/kit/terms.ts'
import { type DualType, dualTypes } from '#contract/calls/dual.calls.ts'
import { dualDays } from '#contract/functions/dual.days.function.ts'
import { plain } from '#contract/money.ts'
import { timeText } from '#contract/rules/term.rules.ts'
import { priceAgeMsMax } from '#contract/trading.ts'
import { takeTurnIn } from '#server-kit/db/db.ts'
import type { Operator } from '#server-kit/http/http.ts'

/**
 * Two programs that keep products on sale, for demonstrations in simulated markets: for each coin and direction one of each line. One proposes, the
 * other agrees; their names say so.
 */
const proposer: Operator = { id: -3, name: 'Dual investment (demo)', roles: ['administrator'], fresh: true }
export const agreer: Operator = { ...proposer, id: -4, name: 'Dual investment review (demo)' }

export const demoTimes = { passEveryMs: 10_000 } as const
const dayMs = 86_400_000

/** Days to the maturity, distance of the linked price from the market, and annual yield; the shortest term first. */
export const demoLines = [
  { days: 1, away: '0.01', yearly: '0.65' },
  { days: 3, away: '0.015', yearly: '0.48' },
  { days: 7, away: '0.025', yearly: '0.36' },
  { days: 14, away: '0.04', yearly: '0.28' },
  { days: 30, away: '0.06', yearly: '0.21' },
] as const
export const demoCoins = [
  { symbol: 'BTCUSDT', step: '100', share: { call: '0.001', put: '50' } },
  { symbol: 'ETHUSDT', step: '5', share: { call: '0.02', put: '50' } },
] as const
const stock = { total: '2000', limit_each: '400' } as const
const risks: Record<DualType, string> = { call: '3', put: '4' }

/** The first maturity with so many days and a day of sale before it. */
export function maturityAfter(days: number, now: number): number {
  const first = Math.floor(now / dayMs) * dayMs + days * dayMs + maturityMs
  return first - dayMs > now ? first : first + dayMs
}
/** A price away from the market, on the far side of a round step: above it for a call, below it for a put. */
export function linkedPrice(type: DualType, price: string, away: string, step: string): string {
  const [factor, rounding] = type === 'call' ? [new Big(1).plus(away), Big.roundUp] : [new Big(1).minus(away), Big.roundDown]
  return plain(factor.times(price).div(step).round(0, rounding).times(step))
}

/** Lines of which there is no product, or one that is sold out. One that an operator has paused or ended keeps its place. */
export function missingLines(products: readonly Pick<DualProduct, 'matures_at' | 'ends_at' | 'sold' | 'total'>[], now: number) {
  const left = products
    .filter(({ ends_at, sold, total }) => ends_at > now && sold < total)
    .map(({ matures_at }) => dualDays.run({ bought: now, matures: matures_at }))
  return demoLines.filter(({ days }, at) => {
    const shorter = demoLines[at - 1]?.days ?? 0
    return !left.some((one) => one > shorter + (at > 0 ? 1 : 0) && one <= days + 1)
  })
}

export function createDemo(context: DualContext, terms: OpenTerms) {
  const { database, store, reads, coins, clock } = context

  /** The price of now; undefined while there is none that is young enough. */
  function marketPrice(symbol: string, now: number): string | undefined {
    const last = reads.lastPrice(symbol)
    return last && now - last.time <= priceAgeMsMax ? last.price : undefined
  }

  return {
    /** Ends the sale of its products, on a server that is no demonstration: nobody keeps their prices there. */
    async close(): Promise<void> {
      for (const id of await store.simulatedOnSale(clock.now())) {
        await database.transaction((tx) => terms.decideSale(tx, agreer, String(id), 'end'))
        context.productsChanged()
      }
    },
    /** Puts a product on sale for each line that has none. */
    async pass(): Promise<void> {
      const now = clock.now()
      const known = await coins.list()
      for (const { symbol, step, share } of demoCoins) {
        const { base, quote } = context.trading.instrument(symbol)
        const [baseCoin, quoteCoin] = [base, quote].map((code) => known.find((coin) => coin.code === code && coin.status === 1))
        const price = marketPrice(symbol, now)
        if (!price || !baseCoin || !quoteCoin) continue
        for (const type of dualTypes) {
          const isComplete = missingLines(await store.simulated(symbol, type, now), now).length === 0
          if (isComplete) continue
          await database.transaction(async (tx) => {
            // Two nodes that look at once put each product on sale once. A proposal takes the same turn.
            await takeTurnIn(database, tx, 'terms')
            for (const line of missingLines(await store.simulated(symbol, type, now, tx), now)) {
              const matures = maturityAfter(line.days, now)
              const typed = {
                market: symbol,
                type,
                linked: linkedPrice(type, price, line.away, step),
                yearly: percentOf(line.yearly),
                share: share[type],
                ...stock,
                starts_at: timeText(now),
                ends_at: timeText(matures - saleEndsBeforeMs),
                matures_at: timeText(matures),
                risk: risks[type],
              }
              const { id } = await terms.propose(tx, proposer, { typed })
              await terms.proposals.agree(tx, agreer, id)
            }
          })
          context.productsChanged()
        }
      }
    },
  }
}
