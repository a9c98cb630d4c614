import type { Insertable } from 'kysely'
import type { DualProductTable } from '#api-server/dual/dual.migration.ts'
import { dual } from '#api-server/dual/dual.ts'
import type { OfficeHandlers } from '#api-server/kit/decision.ts'
import { timeText } from '#api-server/kit/terms.rules.ts'
import type { backOfficeDualCalls } from '#contract/calls/dual.calls.ts'
import { write } from '#server-kit/db/db.ts'
import type { Operator } from '#server-kit/http/http.ts'
import type { Engine } from '#tests/support/databases/engines.ts'
import { kitStageOn } from '#tests/support/databases/kit-stage.ts'
import type { LeverStage } from '#tests/support/databases/lever-stage.ts'
import { take } from '#tests/support/databases/office-stage.ts'
import { dayMs, openWalletStage, type WalletStage } from '#tests/support/databases/wallet-stage.ts'

/** Two administrators. */
export const walt: Operator = { id: 11, name: 'walt', roles: ['administrator'], fresh: true }
export const rita: Operator = { ...walt, id: 12, name: 'rita' }

/** Dual investment over a whole database, with prices that only move when they are pushed, on the clock of the wallet stage. */
export const openDualStage = async (engine: Pick<Engine, 'open'>, nodes = 1) => dualStageOn(await openWalletStage(engine, nodes), { nodes })

/** @param of contract trading whose market, terms and clock it shares; without it, it has its own */
export async function dualStageOn(
  stage: WalletStage,
  { nodes = 1, of }: { nodes?: number; of?: Pick<LeverStage, 'market' | 'trading' | 'terms' | 'clock'> } = {},
) {
  const kit = await kitStageOn(stage, [dual], { nodes, ...(of && { of }) })
  const { database, market, told, callAt } = kit
  const clock = of?.clock ?? stage.clock
  const duals = Array.from({ length: nodes }, (_, node) => kit.parts(dual, node))

  /** Pushes a price of bitcoin. For a time that has not come yet the clock goes there and back, as no tick may come from the future. */
  function tick(price: string, time = clock.now()): void {
    const aheadMs = Math.max(0, time - clock.now())
    stage.later(aheadMs)
    market.manual!.push({ symbol: 'BTCUSDT', price, time })
    stage.later(-aheadMs)
  }

  return {
    stage,
    database,
    market,
    dual: duals[0]!,
    duals,
    told,
    tick,
    callAt,
    settle: () => duals[0]!.settle(),
    /** The clock goes to a moment after the maturity of an order, with a last price so long before it. */
    async mature(matures: number, price: string, beforeMs = 1_000): Promise<number> {
      tick(price, matures - beforeMs)
      tick('1', matures + 1)
      stage.later(matures + 2_000 - clock.now())
      return duals[0]!.settle()
    },
    /** Proposes a new product: calls on bitcoin at 60,000 with 30 %, seven days from now, unless said. @returns its number, and that of the proposal */
    async propose(over: Record<string, string> = {}, by = walt): Promise<{ id: number; proposal: number }> {
      const now = clock.now()
      const matures = Math.floor(now / dayMs) * dayMs + 7 * dayMs + 8 * 3_600_000
      const typed = {
        market: 'BTCUSDT',
        type: 'call',
        linked: '60000',
        yearly: '30',
        share: '0.01',
        total: '100',
        limit_each: '10',
        risk: '3',
        starts_at: timeText(now),
        ends_at: timeText(matures - dayMs),
        matures_at: timeText(matures),
        ...over,
      }
      const { id, subject } = await database.transaction((tx) => duals[0]!.terms[0].propose(tx, by, { typed }))
      return { id: Number(subject), proposal: id }
    },
    agree: (proposal: number, by = rita) => database.transaction((tx) => duals[0]!.terms[0].proposals.agree(tx, by, proposal)),
    /** A call of an operator. */
    office: (call: keyof typeof backOfficeDualCalls, input: object, by = walt) =>
      take({ handlers: duals[0]!.officeHandlers as OfficeHandlers }, call, input, by),
    call: kit.call,
    /** A product on sale: calls on bitcoin at 60,000 with 30 %, seven days from now, shares of 0.01, unless said. */
    async product(over: Partial<Insertable<DualProductTable>> = {}): Promise<number> {
      const now = clock.now()
      const matures = Math.floor(now / dayMs) * dayMs + 7 * dayMs + 8 * 3_600_000
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
        starts_at: now,
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
      return callAt(node, 'dual.buyDual', uid, { id: String(id), num: '1', currency_id: String(stage.idOf(coin)), ...over }, key)
    },
    has: async (uid: number) => `${await stage.has(uid, 'BTC')} ${await stage.has(uid, 'USDT')}`,
    close: kit.close,
  }
}
export type DualStage = Awaited<ReturnType<typeof dualStageOn>>
