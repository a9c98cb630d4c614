import type { Insertable } from 'kysely'
import type { DualProductTable } from '#api-server/dual/dual.migration.ts'
import { dual } from '#api-server/dual/dual.ts'
import { timeText } from '#contract/rules/term.rules.ts'
import { write } from '#server-kit/db/db.ts'
import type { Engine } from '#tests/support/databases/engines.ts'
import { type KitStage, openKitStage } from '#tests/support/databases/kit-stage.ts'
import { dayMs } from '#tests/support/databases/wallet-stage.ts'

/** Dual investment over a whole database, with prices that only move when they are pushed. */
export const openDualStage = async (engine: Pick<Engine, 'open'>, nodes = 1) => dualOn(await openKitStage(engine, [dual], nodes), nodes)

/** @param kit has dual investment among its products */
export function dualOn(kit: KitStage, nodes = 1) {
  const { stage, database, office } = kit
  const { clock } = stage
  const duals = Array.from({ length: nodes }, (_, node) => kit.parts(dual, node))
  const inWeek = () => Math.floor(clock.now() / dayMs) * dayMs + 7 * dayMs + 8 * 3_600_000

  return {
    ...kit,
    dual: duals[0]!,
    duals,
    settle: () => duals[0]!.settle(),
    /** The clock goes to a moment after the maturity of an order, with a last price so long before it. */
    async mature(matures: number, price: string, beforeMs = 1_000): Promise<number> {
      kit.tick(price, matures - beforeMs)
      kit.tick('1', matures + 1)
      stage.later(matures + 2_000 - clock.now())
      return duals[0]!.settle()
    },
    /** Proposes a new product: calls on bitcoin at 60,000 with 30 %, seven days from now, unless said. @returns its number, and that of the proposal */
    async propose(over: Record<string, string> = {}, by = kit.walt): Promise<{ id: number; proposal: number }> {
      const matures = inWeek()
      const typed = {
        market: 'BTCUSDT',
        type: 'call',
        linked: '60000',
        yearly: '30',
        share: '0.01',
        total: '100',
        limit_each: '10',
        risk: '3',
        starts_at: timeText(clock.now()),
        ends_at: timeText(matures - dayMs),
        matures_at: timeText(matures),
        ...over,
      }
      const { key, proposal } = await office('office.termsSave', { product: 'dual', ...typed }, by)
      return { id: Number(key), proposal: proposal!.id }
    },
    agree: (id: number, by = kit.rita) => office('office.proposalAgree', { id: String(id) }, by),
    /** A product on sale: calls on bitcoin at 60,000 with 30 %, seven days from now, shares of 0.01, unless said. */
    async product(over: Partial<Insertable<DualProductTable>> = {}): Promise<number> {
      const matures = inWeek()
      const row: Insertable<DualProductTable> = {
        type: 'call',
        symbol: 'BTCUSDT',
        base_id: stage.idOf('BTC'),
        quote_id: stage.idOf('USDT'),
        share: over.type === 'put' ? '600' : '0.01',
        linked: '60000',
        yearly: '0.3',
        total: 1_000,
        limit_each: 100,
        risk: 3,
        starts_at: clock.now(),
        ends_at: matures - dayMs,
        matures_at: matures,
        terms_version: 1,
        sold: 0,
        sale: 'open',
        simulated: false,
        ...over,
      }
      return (await write(1, database.db.insertInto('dual_product').values(row).returning('id')))[0]!.id
    },
    /** Times of a product that is on sale, and does not mature, for years. */
    lasting() {
      const matures = Math.floor(clock.now() / dayMs) * dayMs + 3_660 * dayMs + 8 * 3_600_000
      return { starts_at: 0, ends_at: matures - dayMs, matures_at: matures }
    },
    async customer(held: Record<string, string> = { USDT: '100000', BTC: '3' }): Promise<number> {
      const uid = await stage.user()
      for (const [code, amount] of Object.entries(held)) await stage.credit(uid, code, amount)
      return uid
    },
    /** Buys shares of a call, unless said. */
    buy: (uid: number, id: number, over: Record<string, string> = {}, { key, node = 0 }: { key?: string; node?: number } = {}) => {
      const coin = over.type === 'put' ? 'USDT' : 'BTC'
      return kit.callAt(node, 'dual.buyDual', uid, { id: String(id), num: '1', currency_id: String(stage.idOf(coin)), ...over }, key)
    },
    has: async (uid: number) => `${await stage.has(uid, 'BTC')} ${await stage.has(uid, 'USDT')}`,
  }
}
export type DualStage = ReturnType<typeof dualOn>
