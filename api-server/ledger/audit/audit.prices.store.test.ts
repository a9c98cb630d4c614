import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { adviceOf } from '#api-server/ledger/audit/advice.rules.ts'
import { priceChecks } from '#api-server/ledger/audit/audit.prices.ts'
import { auditLedger, breachesOf } from '#api-server/ledger/audit/audit.ts'
import { auditorLimits, createAuditor } from '#api-server/ledger/audit/auditor.ts'
import { migrations } from '#api-server/migrations.ts'
import { tickHash } from '#contract/tick-chain.ts'
import type { Database } from '#server-kit/db/db.ts'
import { systemClock } from '#server-kit/ops/clock.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { priceBreaches } from '#tests/support/audit.ts'
import { onBothEngines } from '#tests/support/databases/engines.ts'
import { openMarketStage } from '#tests/support/feed/market-stage.ts'

const dayMs = 86_400_000
const start = Date.parse('2026-11-20T23:59:00Z')
const [chain, end, days] = priceChecks.map(({ says }) => says)
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

onBothEngines('the audit of prices', (engine) => {
  let database: Database

  beforeAll(async () => {
    database = await engine.open(migrations)
    const stage = await openMarketStage(database, start, { source: 'manual' })
    const push = (price: string, symbol = 'BTCUSDT') => stage.market.manual!.push({ symbol, price })
    for (let i = 1; i <= 6; i++) push(String(50_000 + i))
    stage.run(1, 2 * dayMs)
    for (let i = 7; i <= 10; i++) push(String(3_000 + i), 'ETHUSDT')
    await stage.market.stop()
  })
  const unlocked = async (db: Database['db']) => {
    for (const [table, trigger] of [
      ['tick', 'tick_final'],
      ['tick_day', 'tick_day_final'],
    ] as const)
      await sql`alter table ${sql.table(table)} disable trigger ${sql.ref(trigger)}`.execute(db)
  }

  /** The checks that a change breaks. The change is undone. */
  async function foundAfter(...meddle: RawBuilder<unknown>[]): Promise<[says: string, breaches: string[]][]> {
    const undone = new Error('undone')
    const found: [string, string[]][] = []
    await database
      .transaction(async (tx) => {
        await unlocked(tx)
        for (const statement of meddle) await statement.execute(tx)
        for (const check of priceChecks) {
          const breaches = await breachesOf(tx, check)
          if (breaches.length) found.push([check.says, breaches])
        }
        throw undone
      })
      .catch((error: unknown) => {
        if (error !== undone) throw error
      })
    return found
  }

  test('a whole log passes; the audit ends with the number and the hash of its last price', async () => {
    expect(await priceBreaches(database)).toEqual([])
    const { rows } = await sql<{ id: number; hash: string }>`select id, encode(hash, 'hex') as hash from tick where id = 10`.execute(
      database.db,
    )
    const report = await auditLedger(database)
    expect(report.ok).toBe(true)
    expect(report.prices).toEqual({ id: 10, hash: rows[0]!.hash })
    expect(report.checks.filter(({ name }) => name === 'P1')).toHaveLength(3)
  })

  const forged = { symbol: 'BTCUSDT', price: '1.00', size: '0.00000', time: start, source: 'manual' }
  test.each<[string, RawBuilder<unknown>[], [string, string][]]>([
    ['the last three ticks are gone', [sql`delete from tick where id > 7`], [[end!, 'the last price is 7, written was 10']]],
    [
      'all ticks are gone',
      [sql`delete from tick`],
      [
        [end!, 'the last price is 0, written was 10'],
        [days!, 'end of 2026-11-20 00:00:00: price 6'],
      ],
    ],
    [
      'a tick has another price',
      [sql`update tick set price = 1 where id = 4`],
      [[chain!, 'price 4 of BTCUSDT: its hash is not that of what it says']],
    ],
    [
      'a tick has the same price written otherwise',
      [sql`update tick set price = 50004.0 where id = 4`],
      [[chain!, 'price 4 of BTCUSDT: its hash is not that of what it says']],
    ],
    ['a tick that nothing uses is gone', [sql`delete from tick where id = 3`], [[chain!, 'price 4: the one before it is missing']]],
    ['the first tick is gone', [sql`delete from tick where id = 1`], [[chain!, 'price 2: the one before it is missing']]],
    [
      'a tick is changed together with its hash',
      [sql`update tick set price = 1.00, size = 0.00000, time = ${start}, hash = decode(${sha256('')}, 'hex') where id = 4`],
      [[chain!, 'price 4 of BTCUSDT: its hash is not that of what it says']],
    ],
    [
      'a tick is added at the end, with the right hash',
      [
        sql`insert into tick select 11, symbol, price, size, time, source, hash,
          sha256(convert_to(concat_ws(chr(10), encode(hash, 'hex'), 11, symbol, price, size, time, source), 'UTF8')) from tick where id = 10`,
      ],
      [[end!, 'the last price is 11, written was 10']],
    ],
    ['the end that was written is gone', [sql`delete from tick_tip`], [[end!, 'the end of the prices is gone']]],
    ['the end that was written is another', [sql`update tick_tip set id = 9`], [[end!, 'the last price is 10, written was 9']]],
    ['the end of a day is gone', [sql`delete from tick_day`], [[days!, 'ends of days are missing before 2026-11-22 00:00:00']]],
    ['the end of a day is another tick', [sql`update tick_day set id = 5`], [[days!, 'end of 2026-11-20 00:00:00: price 5']]],
  ])('%s', async (_what, meddle, broken) => {
    expect((await foundAfter(...meddle)).map(([says, [first]]) => [says, first])).toEqual(broken)
  })

  test('a tick rewritten with the hash by the rule is found at the next one', async () => {
    const { rows } = await sql<{ prev: string }>`select encode(prev_hash, 'hex') as prev from tick where id = 4`.execute(database.db)
    const hash = tickHash(sha256, rows[0]!.prev, { id: 4, ...forged })
    const set = sql`price = 1.00, size = 0.00000, time = ${start}, source = 'manual', hash = decode(${hash}, 'hex')`
    expect(await foundAfter(sql`update tick set ${set} where id = 4`)).toEqual([
      [chain, ['price 5 of BTCUSDT: its hash is not that of what it says']],
    ])
  })

  test('the advice says what it means and what to do', () => {
    expect(adviceOf.P1.means).toContain('nobody can check any more')
    expect(adviceOf.P1.todo).toContain('newest backup')
  })

  test('a running server reads what is new, then the log once more; what it finds stays until it is repaired', async () => {
    const auditor = () => createAuditor({ database, clock: systemClock, log: createLog('silent') })
    const round = async (of: ReturnType<typeof auditor>) => {
      while (await of.step());
      const { rows } = await sql<{ id: number }>`select id from tick_mark order by name desc`.execute(database.db)
      return [of.state(), ...rows.map(({ id }) => id)]
    }
    await unlocked(database.db)
    const running = auditor()
    expect(await round(running)).toEqual(['sound', 10, 0])
    // Behind what was read already: found when the log is read once more.
    await sql`update tick set size = size + 1 where id = 2`.execute(database.db)
    expect(await round(running)).toEqual(['broken', 10, 0])
    expect(await round(auditor())).toEqual(['broken', 10, 0])
    await sql`update tick set size = size - 1 where id = 2`.execute(database.db)
    expect(await round(running)).toEqual(['sound', 10, 0])
    // The check does not read past a gap.
    await sql`create table taken as select * from tick where id = 9`.execute(database.db)
    await sql`delete from tick where id = 9`.execute(database.db)
    await sql`update tick_mark set id = 5 where name = 'new'`.execute(database.db)
    expect(await round(running)).toEqual(['broken', 5, 0])
    await sql`insert into tick select * from taken`.execute(database.db)
    expect(await round(running)).toEqual(['sound', 10, 0])
  })

  test('a round reads no more slices of a long log than its limit', async () => {
    const slices = async () => {
      const running = createAuditor({ database, clock: systemClock, log: createLog('silent') })
      while (await running.step());
      return running.metrics().slices
    }
    const few = await slices()
    await sql`insert into tick select 1000000, symbol, price, size, time, source, prev_hash, hash from tick where id = 10`.execute(
      database.db,
    )
    const more = (await slices()) - few
    // With a breach the quick checks run once more at the end of a round.
    expect(more).toBeGreaterThanOrEqual(auditorLimits.tickSlices - 1)
    expect(more).toBeLessThan(2 * auditorLimits.tickSlices)
  })
})
