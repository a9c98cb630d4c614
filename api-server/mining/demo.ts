import { percentOf } from '#api-server/kit/terms.rules.ts'
import type { OpenTerms } from '#api-server/kit/terms.ts'
import type { MiningContext } from '#api-server/mining/booking.ts'
import type { MiningTerms } from '#api-server/mining/mining.rules.ts'
import { takeTurnIn } from '#server-kit/db/db.ts'
import type { Operator } from '#server-kit/http/http.ts'

/** Two programs that put products on sale, for demonstrations. One proposes, the other agrees; their names say so. */
const proposer: Operator = { id: -5, name: 'Mining (demo)', roles: ['administrator'], fresh: true }
export const agreer: Operator = { ...proposer, id: -6, name: 'Mining review (demo)' }

const usdt = { coin: 'USDT', least: '10', most: '50000', capacity: '5000000' }
/** Products of the demonstration. */
export const demoProducts: readonly MiningTerms[] = [
  { ...usdt, kind: 'lock', locked_days: 5, daily: '0.0035', penalty: '0.004', risk: 3 },
  { ...usdt, kind: 'lock', locked_days: 15, daily: '0.0037', penalty: '0.004', risk: 3 },
  { ...usdt, kind: 'lock', locked_days: 30, daily: '0.004', penalty: '0.004', risk: 4 },
  { ...usdt, kind: 'defi', locked_days: 7, daily: '0.003', penalty: '0.005', risk: 4 },
  { ...usdt, kind: 'defi', locked_days: 60, daily: '0.0045', penalty: '0.005', risk: 5 },
  { ...usdt, kind: 'cloud', locked_days: 10, daily: '0.0032', penalty: '0.004', risk: 4 },
  { kind: 'cloud', coin: 'BTC', least: '0.001', most: '2', capacity: '100', locked_days: 30, daily: '0.001', penalty: '0.002', risk: 5 },
]

export function createDemo({ database, store, coins, productsChanged }: MiningContext, terms: OpenTerms) {
  return {
    /** Ends the sale of its products, on a server that is no demonstration. */
    async close(): Promise<void> {
      const open = await database.transaction(async (tx) => (await store.simulated(tx)).filter(({ sale }) => sale !== 'ended'))
      for (const { id } of open) {
        await database.transaction((tx) => terms.decideSale(tx, agreer, String(id), 'end'))
        productsChanged()
      }
    },
    /** Puts each product on sale that was never there. One that an operator has paused, ended or changed stays as it is. */
    async fill(): Promise<void> {
      const known = await coins.list()
      await database.transaction(async (tx) => {
        // Two nodes that start at once add each product once. A proposal takes the same turn.
        await takeTurnIn(database, tx, 'terms')
        const there = await store.simulated(tx)
        const codes = new Map(known.map(({ id, code }) => [id, code]))
        for (const product of demoProducts.slice(there.length)) {
          if (![...codes.values()].includes(product.coin)) continue
          const typed = {
            ...product,
            locked_days: String(product.locked_days),
            risk: String(product.risk),
            daily: percentOf(product.daily),
            penalty: percentOf(product.penalty),
          }
          const { id } = await terms.propose(tx, proposer, { typed })
          await terms.proposals.agree(tx, agreer, id)
        }
      })
      productsChanged()
    },
  }
}
