import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { createBackOfficeAuditStore } from '#api-server/back-office/audit.store.ts'
import { type BackOfficeAuditRow, backOfficeMigrations } from '#api-server/back-office/back-office.migration.ts'
import type { Database } from '#server-kit/db/db.ts'
import { onEngines } from '#tests/support/databases/engines.ts'

/** As they were written before this log shared its code with that of publishing. */
const earlier: readonly (readonly [...(string | number)[]])[] = [
  [1, 1764028800000, 7, 'ann', 'recharge.approve', 'recharge:12', '', '0e5d484b7f5b4615dbf36a1b1940cf1be2c32ad2ef1ee2eaf5910591b398a193'],
  [
    ...[2, 1764028860001, 8, 'Zoë Müller', 'customer.freeze', 'customer:100001', '„Grund“ \\ "x"\nsecond line \u{1f4b0}'],
    '7fb61da75cd1dba09cdfdf37a1aa042c64aee3499b23ee6f10827f0281961394',
  ],
  [
    ...[3, 1764028920002, 7, 'ann', 'audit.export', 'audit', 'operator=ann'],
    '7600f13ed32703fd3bc8a13e729b9e9bb2891f48b9f479d8b6e3e4486ede3f61',
  ],
]

onEngines('the log of the back office', (engine) => {
  let database: Database
  beforeAll(async () => {
    database = await engine.open(backOfficeMigrations)
    for (const row of earlier) await sql`insert into desk_audit values (${sql.join([...row])})`.execute(database.db)
  })

  test('goes on where earlier rows end', async () => {
    const audit = createBackOfficeAuditStore(database)
    expect(await audit.verify()).toEqual({ ok: true, rows: 3, brokenAt: null })
    const note = { action: 'customer.freeze', subject: 'customer:100002', detail: 'x'.repeat(10_700) } as const
    const ann = { id: 7, name: 'ann', roles: [], fresh: true }
    await Promise.all([0, 1, 2].map(() => database.transaction((tx) => audit.append(tx, ann, note, 1764028980003))))
    expect(await audit.verify()).toEqual({ ok: true, rows: 6, brokenAt: null })
    expect(await audit.lastChange()).toBe(0)
    const halt = { ...note, action: 'instrument.halt', subject: 'spot:BTCUSDT', detail: 'news' } as const
    await database.transaction((tx) => audit.append(tx, ann, halt, 1764028980004))
    expect(await audit.lastChange()).toBe(7)
    await database.transaction((tx) => audit.append(tx, ann, note, 1764028980005))
    expect(await audit.lastChange()).toBe(7)
    const { list } = await audit.page({}, 1, 1)
    expect(list).toMatchObject([{ id: 8, operator_id: 7, operator: 'ann', action: 'customer.freeze', subject: 'customer:100002' }])
    expect(list[0]!.detail).toHaveLength(10_000)
  })

  test('keeps texts in which half a character stands, as the database does', async () => {
    const audit = createBackOfficeAuditStore(database)
    const { rows } = await audit.verify()
    const details = ['…\uDE00 a', 'a\uD83Db', `${'x'.repeat(9_999)}😀`]
    for (const detail of details) {
      const note = { action: 'message.list', subject: 'messages', detail } as const
      await database.transaction((tx) => audit.append(tx, { id: 7, name: 'ann', roles: [], fresh: true }, note, 1764028980006))
    }
    expect(await audit.verify()).toEqual({ ok: true, rows: rows + 3, brokenAt: null })
    const { list } = await audit.page({ action: 'message.list' }, 1, 3)
    expect(list.map(({ detail }) => detail)).toEqual(['x'.repeat(9_999), 'a\uFFFDb', '…\uFFFD a'])
  })

  test('tells of a change in each of its columns', async () => {
    const audit = createBackOfficeAuditStore(database)
    await sql`alter table desk_audit disable trigger user`.execute(database.db)
    const changes: Partial<BackOfficeAuditRow>[] = [
      { at: 1 },
      { operator_id: 9 },
      { operator: 'bob' },
      { action: 'customer.free' },
      { subject: 'customer:100003' },
      { detail: 'other' },
      { action: 'customer.freezecustomer' as BackOfficeAuditRow['action'], subject: ':100001' },
    ]
    const { chain: _, ...before } = (await database.db.selectFrom('desk_audit').selectAll().where('id', '=', 2).executeTakeFirst())!
    for (const change of changes) {
      await database.db.updateTable('desk_audit').set(change).where('id', '=', 2).execute()
      expect(await audit.verify(), JSON.stringify(change)).toMatchObject({ ok: false, brokenAt: 2 })
      await database.db.updateTable('desk_audit').set(before).where('id', '=', 2).execute()
    }
    expect(await audit.verify()).toMatchObject({ ok: true })
  })
})
