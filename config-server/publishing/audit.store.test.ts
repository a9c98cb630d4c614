import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { createAuditStore } from '#config-server/publishing/audit.store.ts'
import { publishingMigrations } from '#config-server/publishing/publishing.migration.ts'
import type { Database, Tables } from '#server-kit/db/db.ts'
import { onEngines } from '#tests/support/databases/engines.ts'

const [a, b, c] = ['a', 'b', 'c'].map((sign) => sign.repeat(64))
/** As they were written before this log shared its code with that of the back office; the text of `detail` as it was stored. */
const earlier: readonly (readonly (string | number | null | undefined)[])[] = [
  [
    ...[1, 1764028800000, 'files', 'release.publish', 'release 1', null, a, '', '{}'],
    'bce817f120ed01f663f299ebf0d08459469376d7c7fcd853ad213c1a5c7ddaa5',
  ],
  [
    ...[2, 1764028860001, 'Zoë', 'draft.save', 'draft 4', b, c, 'wörds "quoted"\n'],
    '{"z":1,"a":{"y":[3,1,null],"b":true},"path":"schemas/screens/home.json"}',
    '25b8d9b02454e1100a5a2970c295328f5a15a2e3f74605abe78f57404506f04b',
  ],
  [
    ...[3, 1764028920002, 'nobody', 'operator.login_failed', 'operator unknown', null, null, '', '{"length":9001}'],
    '5eac821c9b1d0cd957808456d2da72d2d54444bb2252edbcc850e8f822591f0c',
  ],
]

onEngines('the log of publishing', (engine) => {
  let database: Database
  beforeAll(async () => {
    database = await engine.open(publishingMigrations)
    for (const row of earlier) await sql`insert into config_audit values (${sql.join([...row])})`.execute(database.db)
  })

  test('goes on where earlier rows end', async () => {
    const audit = createAuditStore(database)
    expect(await audit.verify()).toEqual({ ok: true, rows: 3, brokenAt: null })
    const entries = [
      { detail: { z: [{ b: 1, a: undefined }], a: 'é' } },
      { fromHash: a!, toHash: null, reason: 'r' },
      { detail: { long: 'x'.repeat(100_000) } },
    ]
    await Promise.all(
      entries.map((entry) =>
        database.transaction((tx) => audit.append(tx, { name: 'ann' }, { action: 'draft.save', subject: 'draft 5', ...entry }, 1)),
      ),
    )
    expect(await audit.verify()).toEqual({ ok: true, rows: 6, brokenAt: null })
    const { rows, total } = await audit.page({ subject: 'draft 5' })
    expect(total).toBe(3)
    expect(rows.map(({ detail }) => detail)).toEqual(
      expect.arrayContaining([{ z: [{ b: 1 }], a: 'é' }, {}, { length: 100_000 + JSON.stringify({ long: '' }).length }]),
    )
    expect(rows.map(({ fromHash, toHash, reason }) => [fromHash, toHash, reason])).toContainEqual([a, null, 'r'])
  })

  test('tells of a change in each of its columns', async () => {
    const audit = createAuditStore(database)
    await sql`alter table config_audit disable trigger user`.execute(database.db)
    const changes: Partial<Tables['config_audit']>[] = [
      { at: 1 },
      { actor: 'bob' },
      { action: 'draft.revert' },
      { subject: 'draft 6' },
      { from_hash: null },
      { to_hash: b! },
      { reason: 'other' },
      { detail: '{"z":2}' },
    ]
    const { chain: _, ...stored } = (await database.db.selectFrom('config_audit').selectAll().where('id', '=', 2).executeTakeFirst())!
    const before = { ...stored, detail: JSON.stringify(stored.detail) }
    for (const change of changes) {
      await database.db.updateTable('config_audit').set(change).where('id', '=', 2).execute()
      expect(await audit.verify(), JSON.stringify(change)).toMatchObject({ ok: false, brokenAt: 2 })
      await database.db.updateTable('config_audit').set(before).where('id', '=', 2).execute()
    }
    expect(await audit.verify()).toMatchObject({ ok: true })
  })
})
