import Big from 'big.js'
import type { FollowContext } from '#api-server/follow/context.ts'
import type { HeldPosition } from '#api-server/follow/follow.store.ts'
import { contractProfit } from '#contract/functions/contract.profit.function.ts'
import { exact, plain } from '#contract/money.ts'
import type { Tx } from '#server-kit/db/db.ts'

/** Returns the profit of a position at the last price, before the costs of closing; 0 while its symbol has no price. */
export function openProfitOf(reads: FollowContext['reads'], held: HeldPosition): string {
  const { symbol, side, lots, lot_size, open_price: from, scale } = held
  const price = reads.lastPrice(symbol)?.price
  return price === undefined ? '0' : contractProfit.run({ side, lots, lot_size, from, to: exact(price), scale })
}

/** Returns the profit of several positions together. */
export const openProfitOfAll = (reads: FollowContext['reads'], held: readonly HeldPosition[]): string =>
  plain(held.reduce((sum, row) => sum.plus(openProfitOf(reads, row)), new Big(0)))

/** Takes the figures of a trader anew, open positions at the last prices; those of who has ended stay. */
export async function takeStatistics({ store, reads }: Pick<FollowContext, 'store' | 'reads'>, uid: number, at: number, tx?: Tx) {
  await store.refresh(uid, { at, open_profit: openProfitOfAll(reads, await store.openOf(uid, tx)) }, tx)
}
