import Big from 'big.js'
import { coinsOf, type OtcContext } from '#api-server/otc/context.ts'
import type { Offers } from '#api-server/otc/offers.ts'
import { leftOf } from '#api-server/otc/otc.rules.ts'
import { type OtcSide, otcSides } from '#contract/calls/otc.calls.ts'
import { plain } from '#contract/money.ts'
import { priceAgeMsMax } from '#contract/trading.ts'
import type { Tx } from '#server-kit/db/db.ts'
import type { Operator } from '#server-kit/http/http.ts'

/**
 * The desk of the house as two programs, for demonstrations in simulated markets: one proposes offers, the other agrees. Their names say so.
 * Orders from these offers are reviewed by people.
 */
export const proposer: Operator = { id: -1, name: 'Desk (demo)', roles: ['administrator'], fresh: true }
const agreer: Operator = { ...proposer, id: -2, name: 'Desk review (demo)' }

export const deskTimes = { passEveryMs: 10_000 } as const
const coins = [
  { coin: 'BTC', amount_min: '0.001', amount_max: '1', whole: '5' },
  { coin: 'ETH', amount_min: '0.01', amount_max: '20', whole: '100' },
] as const
/** Part of the market price that the house asks more, or pays less. */
const margin = '0.01'
/** An offer is replaced once its price is further than this part from where it would be now. It is less than the margin. */
const driftMax = '0.005'

/** Returns the price of the desk when the market is at `price`: two decimals, rounded to the side of the house. */
export function deskPrice(side: OtcSide, price: string): string {
  const [factor, rounding] = side === 'buy' ? [new Big(1).plus(margin), Big.roundUp] : [new Big(1).minus(margin), Big.roundDown]
  return plain(factor.times(price).round(2, rounding))
}
export const isAway = (offered: string, wanted: string): boolean => new Big(wanted).div(offered).minus(1).abs().gt(driftMax)

export function createDesk(context: OtcContext, offers: Pick<Offers, 'propose' | 'agree' | 'close'>) {
  const { database, store, coins: currencies } = context

  async function keep(tx: Tx, terms: (typeof coins)[number], side: OtcSide, currency: number, price: string): Promise<void> {
    const last = await store.newestOf(tx, proposer.id, side, currency)
    // The desk closes its last offer itself only where a server runs without it.
    const newest = last?.closed_by === agreer.name ? undefined : last
    // The desk leaves offers alone that an operator has closed or is about to replace.
    if (newest && (newest.status !== 'open' || (await store.isToBeReplaced(tx, newest.id)))) return
    const isUsedUp = newest && new Big(leftOf(newest)).lt(newest.amount_min)
    if (newest && !isUsedUp && !isAway(newest.price, price)) return
    const { id } = await offers.propose(tx, { ...terms, side, price, from: undefined, until: undefined, replaces: newest?.id }, proposer)
    await offers.agree(tx, id, agreer)
  }

  return {
    /** Closes what the desk still offers, on a server that is no demonstration: nobody follows its prices there. */
    async close(): Promise<void> {
      await database.transaction(async (tx) => {
        await store.lockOffers(tx)
        for (const { id } of await store.openOf(tx, proposer.id)) await offers.close(tx, id, agreer)
      })
    },
    /** Makes the offers that there are not yet, and replaces those from which the market has moved away. */
    async pass(): Promise<void> {
      const known = [...(await coinsOf(context)).values()]
      for (const terms of coins) {
        const coin = known.find(({ code, status }) => code === terms.coin && status === 1)
        const last = coin && currencies.usd(coin)
        if (!last || last.ageMs > priceAgeMsMax) continue
        await database.transaction(async (tx) => {
          await store.lockOffers(tx)
          for (const side of otcSides) await keep(tx, terms, side, coin.id, deskPrice(side, last.price))
        })
      }
    },
  }
}
