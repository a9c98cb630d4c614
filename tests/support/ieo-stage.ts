import type { Insertable } from 'kysely'
import type { IeoProjectTable } from '#api-server/ieo/ieo.migration.ts'
import { ieo } from '#api-server/ieo/ieo.ts'
import { timeText } from '#contract/rules/term.rules.ts'
import { write } from '#server-kit/db/db.ts'
import type { Engine } from '#tests/support/databases/engines.ts'
import { type KitStage, openKitStage } from '#tests/support/databases/kit-stage.ts'
import { dayMs } from '#tests/support/databases/wallet-stage.ts'

/** Sales of new tokens over a whole database. SOL is the token that is sold, since its balances are easy to read. */
export const openIeoStage = async (engine: Pick<Engine, 'open'>, nodes = 1) => ieoOn(await openKitStage(engine, [ieo], nodes), nodes)

/** @param kit has sales of new tokens among its products */
export function ieoOn(kit: KitStage, nodes = 1) {
  const { stage, database, office } = kit
  const { clock } = stage
  const ieos = Array.from({ length: nodes }, (_, node) => kit.parts(ieo, node))

  return {
    ...kit,
    ieos,
    unlock: () => ieos[0]!.unlock(),
    /** Proposes a new project: a million tokens at 0.05 from now on for a day, unless said. @returns its number, and that of the proposal */
    async propose(over: Record<string, string> = {}, by = kit.walt): Promise<{ id: number; proposal: number }> {
      const now = clock.now()
      const typed = {
        token: 'SOL',
        token_name: 'Solana',
        issue_price: '0.05',
        issue_total: '1000000',
        issue_step: '1',
        issue_least: '1',
        issue_limit: '1000000',
        pay_coins: 'USDT,BTC',
        market: 'SOLUSDT',
        lock_days: '30',
        releases: '3',
        risk: '4',
        starts_at: timeText(now),
        ends_at: timeText(now + dayMs),
        lists_at: timeText(now + 2 * dayMs),
        ...over,
      }
      const { key, proposal } = await office('office.termsSave', { product: 'ieo', ...typed }, by)
      return { id: Number(key), proposal: proposal!.id }
    },
    agree: (id: number, by = kit.rita) => office('office.proposalAgree', { id: String(id) }, by),
    /** A project on sale for a day: a million tokens at 0.05, locked for 30 days in three parts, unless said. */
    async project(over: Partial<Insertable<IeoProjectTable>> = {}): Promise<number> {
      const now = clock.now()
      const lists_at = over.lists_at ?? now + 2 * dayMs
      const lock_days = over.lock_days ?? 30
      const row: Insertable<IeoProjectTable> = {
        token_id: stage.idOf('SOL'),
        quote_id: stage.idOf('USDT'),
        name: 'Solana',
        issue_price: '0.05',
        issue_total: '1000000',
        issue_step: '1',
        issue_least: '1',
        issue_limit: '1000000',
        pay_coins: 'USDT,BTC',
        starts_at: now,
        ends_at: now + dayMs,
        lists_at,
        market: 'SOLUSDT',
        lock_days,
        releases: 3,
        risk: 4,
        terms_version: 1,
        applied: '0',
        customers: 0,
        ...({ sale: 'open', stage: 'sale', passed: null, hash: null, allocated_at: null, simulated: false } as const),
        unlocks_at: lists_at + lock_days * dayMs,
        ...over,
      }
      return (await write(1, database.db.insertInto('ieo_project').values(row).returning('id')))[0]!.id
    },
    /** Times of a sale that lasts for years. */
    lasting() {
      const ends_at = clock.now() + 3_660 * dayMs
      return { ends_at, lists_at: ends_at, unlocks_at: ends_at + 30 * dayMs }
    },
    async customer(held: Record<string, string> = { USDT: '100000' }): Promise<number> {
      const uid = await stage.user()
      for (const [code, amount] of Object.entries(held)) await stage.credit(uid, code, amount)
      return uid
    },
    /** Applies for an amount, paid in USDT unless said. */
    apply: (
      uid: number,
      project_id: number,
      amount: string,
      {
        key,
        node = 0,
        ...over
      }: { key?: string; node?: number; pay_currency?: string; rate?: string; price?: string; terms_version?: string } = {},
    ) => kit.callAt(node, 'ieo.order', uid, { project_id: String(project_id), amount, pay_currency: 'USDT', price: '0.05', ...over }, key),
    preview: (id: number) => office('office.ieoAllocation', { id: String(id) }),
    /** The clock goes past the end of the sale, and two operators agree to the preview. */
    async allocate(id: number): Promise<void> {
      const { ends } = await office('office.ieoAllocation', { id: String(id) })
      if (clock.now() < ends) stage.later(ends - clock.now())
      const { digest } = await office('office.ieoAllocation', { id: String(id) })
      await office('office.ieoAllocate', { id: String(id), digest })
      const { proposal } = await office('office.ieoAllocation', { id: String(id) })
      await office('office.proposalAgree', { id: String(proposal!.id) }, kit.rita)
    },
    has: async (uid: number) => `${await stage.has(uid, 'USDT')} ${await stage.has(uid, 'SOL')}`,
  }
}
export type IeoStage = ReturnType<typeof ieoOn>
