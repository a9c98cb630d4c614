import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { dayMs } from '#api-server/mining/mining.rules.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { openMiningStage } from '#tests/support/mining-stage.ts'

onEngines('many mining orders', (engine) => {
  test('an income costs as much of 100,000 that are due as of 1,000', { tags: 'full', timeout: 600_000 }, async () => {
    const on = await openMiningStage(engine)
    const mid = await on.product({ capacity: '1000000000', locked_days: 365 })
    const uid = await on.customer()
    /** Milliseconds for each of so many incomes that are due at once. */
    async function cost(orders: number): Promise<number> {
      const at = on.stage.now()
      await sql`insert into mining_order (uid, product_id, kind, currency_id, daily, locked_days, penalty, risk, terms_version, simulated, amount, income,
          bought_at, ends_at, due_at, paid_days, renewal, remind_at, reminded, status, version)
        select ${uid}, p.id, p.kind, p.currency_id, p.daily, p.locked_days, p.penalty, p.risk, 1, false, 1000, 3.5, ${at}::bigint,
          ${at + 365 * dayMs}::bigint, ${at + dayMs}::bigint, 0, 'none', ${at + 364 * dayMs}::bigint, false, 'running', 1
        from mining_product p, generate_series(1, ${orders}::int) where p.id = ${mid}`.execute(on.database.db)
      on.stage.later(dayMs)
      const began = performance.now()
      await on.pay()
      const took = performance.now() - began
      const paid = await on.database.db
        .selectFrom('mining_order')
        .select(sql<number>`count(*)::int`.as('n'))
        .where('bought_at', '=', at)
        .where('paid_days', '=', 1)
        .executeTakeFirstOrThrow()
      expect(paid.n).toBe(orders)
      // They would be due again on the next day.
      await sql`alter table mining_order disable trigger user`.execute(on.database.db)
      await sql`update mining_order set status = 'redeemed', how = 'early', closed_at = ${at}::bigint, penalty_paid = 0,
        due_at = bought_at + paid_days * 86400000::bigint where bought_at = ${at}::bigint`.execute(on.database.db)
      await sql`alter table mining_order enable trigger user`.execute(on.database.db)
      return took / orders
    }
    await cost(2_000)
    const few = await cost(1_000)
    const many = await cost(100_000)
    expect(many / few).toBeLessThan(1.2)
    await on.end()
  })
})
