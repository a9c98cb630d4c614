import { type RawBuilder, sql } from 'kysely'
import { expect, test } from 'vitest'
import { ApiProblem } from '#contract/problem.ts'
import { type Database, isUniqueViolation, type Migration, type Tx, write, writeAny } from '#server-kit/db/db.ts'
import { openDatabase } from '#server-kit/db/open-database.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { onBothEngines } from '#tests/support/databases/engines.ts'
import { eventually } from '#tests/support/eventually.ts'

declare module '#server-kit/db/db.ts' {
  interface Tables {
    test_purse: { id: number; owner: string; amount: string; note: string | null }
  }
}

const purses: Migration = {
  id: 'test-1',
  async up(tx) {
    await sql`create table test_purse (id bigint primary key, owner text not null, amount numeric(38,18) not null check (amount >= 0), note jsonb)`.execute(
      tx,
    )
  },
}
const purse = (id: number, amount = '1') => ({ id, owner: `owner ${id}`, amount, note: null })
const ids = async (database: Database) =>
  (await database.db.selectFrom('test_purse').select('id').orderBy('id').execute()).map((row) => row.id)
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const one = async <T>(database: Database, query: RawBuilder<T>) => (await query.execute(database.db)).rows[0]

onBothEngines(
  'store',
  (engine) => {
    test('both engines hand out the same types', async () => {
      const database = await engine.open()
      const row = await one(
        database,
        sql`select 9007199254740991::int8 as whole, 12.50::numeric as money, true as yes, '{"a":[1]}'::jsonb as json, '\\x0102'::bytea as bytes,
        '2026-01-31'::date as day, count(*) as n, null::text as nothing`,
      )
      expect(row).toEqual({
        whole: 9007199254740991,
        money: '12.50',
        yes: true,
        json: { a: [1] },
        bytes: Buffer.from([1, 2]),
        day: '2026-01-31',
        n: 1,
        nothing: null,
      })
      await expect(one(database, sql`select 9007199254740993::int8 as big`)).rejects.toThrow(/as text/)
      expect(await one(database, sql`select (0.1::numeric + 0.2)::text as sum`)).toEqual({ sum: '0.3' })
    })

    test('a write that touches another number of rows rolls everything back', async () => {
      const database = await engine.open([purses])
      const writes: [name: string, work: (tx: Tx) => Promise<unknown>][] = [
        ['update of nobody', (tx) => write(1, tx.updateTable('test_purse').set({ amount: '5' }).where('id', '=', 99))],
        ['update of two', (tx) => write(1, tx.updateTable('test_purse').set({ amount: '5' }))],
        ['delete of nobody', (tx) => write(1, tx.deleteFrom('test_purse').where('id', '=', 99))],
        [
          'insert that was there',
          (tx) =>
            write(
              1,
              tx
                .insertInto('test_purse')
                .values(purse(1))
                .onConflict((c) => c.doNothing()),
            ),
        ],
        ['returning of nobody', (tx) => write(1, tx.updateTable('test_purse').set({ amount: '5' }).where('id', '=', 99).returning('id'))],
      ]
      await database.transaction((tx) => write(2, tx.insertInto('test_purse').values([purse(1), purse(2)])))
      for (const [name, work] of writes) {
        const attempt = database.transaction(async (tx) => {
          await write(1, tx.insertInto('test_purse').values(purse(50)))
          await work(tx)
        })
        await expect(attempt, name).rejects.toThrow(/rows where 1/)
        expect(await ids(database), name).toEqual([1, 2])
      }
      const [back] = await database.transaction((tx) =>
        write(1, tx.updateTable('test_purse').set({ amount: '7' }).where('id', '=', 1).returning(['id', 'amount'])),
      )
      expect(back).toEqual({ id: 1, amount: '7.000000000000000000' })
      expect(await database.transaction((tx) => writeAny(tx.deleteFrom('test_purse')))).toBe(2)
    })

    test('an error that is swallowed inside a transaction is not taken for success', async () => {
      const database = await engine.open([purses])
      const attempt = database.transaction(async (tx) => {
        await write(1, tx.insertInto('test_purse').values(purse(1)))
        await write(1, tx.insertInto('test_purse').values(purse(1))).catch((error) => expect(isUniqueViolation(error)).toBe(true))
      })
      await expect(attempt).rejects.toThrow(/swallowed/)
      expect(await ids(database)).toEqual([])
    })

    test('a query through db inside a transaction is refused at once, not waited for', async () => {
      const database = await engine.open([purses])
      await expect(database.transaction(async () => ids(database))).rejects.toThrow(/use the tx/)
      await expect(database.transaction(async () => database.transaction(async () => 1))).rejects.toThrow(/use the tx/)
      await expect(
        database.db
          .transaction()
          .setIsolationLevel('serializable')
          .execute(async () => ids(database)),
      ).rejects.toThrow(/use the tx/)
      expect(await ids(database)).toEqual([])
    })

    test('a query beside a transaction never sees inside it', async () => {
      const database = await engine.open([purses])
      let letGo = () => {}
      const gate = new Promise<void>((open) => {
        letGo = open
      })
      const writing = database.transaction(async (tx) => {
        await write(1, tx.insertInto('test_purse').values(purse(1)))
        await gate
        throw new Error('changed my mind')
      })
      await new Promise((wake) => setTimeout(wake, 30))
      const reading = ids(database)
      letGo()
      await expect(writing).rejects.toThrow('changed my mind')
      expect(await reading).toEqual([])
    })

    test('who waits longer than 5 s for a connection is told busy', { tags: 'full' }, async () => {
      const database = await engine.open([purses])
      let letGo = () => {}
      const gate = new Promise<void>((open) => {
        letGo = open
      })
      const holders = Promise.allSettled(Array.from({ length: 16 }, () => database.transaction(() => gate)))
      await new Promise((wake) => setTimeout(wake, 50))
      const began = Date.now()
      const waited = await ids(database).catch((error: unknown) => error)
      expect(waited).toBeInstanceOf(ApiProblem)
      expect((waited as ApiProblem).code).toBe('busy')
      expect(Date.now() - began).toBeGreaterThan(4_000)
      letGo()
      await holders
      expect(await ids(database)).toEqual([])
    })

    test('deep JSON is refused before the engine sees it, twice, and nothing is stored', async () => {
      const database = await engine.open([purses])
      for (const depth of [81, 7_000, 50_000]) {
        for (const text of [nested(depth), `  ${nested(depth)}`, `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`]) {
          for (let time = 0; time < 2; time++) {
            const attempt = database.transaction(async (tx) => {
              await write(1, tx.insertInto('test_purse').values(purse(1)))
              await write(1, tx.insertInto('test_purse').values({ ...purse(2), note: text }))
            })
            await expect(attempt).rejects.toMatchObject({ code: 'parameter_error' })
          }
        }
      }
      await expect(
        database.transaction((tx) => write(1, tx.insertInto('test_purse').values({ ...purse(3), owner: '('.repeat(20_000) }))),
      ).rejects.toThrow()
      await expect(
        database.transaction((tx) => write(1, tx.insertInto('test_purse').values({ ...purse(3), owner: 'x'.repeat(5_000_000) }))),
      ).rejects.toThrow()
      expect(await ids(database)).toEqual([])
      await database.transaction((tx) => write(1, tx.insertInto('test_purse').values({ ...purse(4), note: nested(32) })))
      expect(await ids(database)).toEqual([4])
    })

    test('text comes back as it went in, whatever it looks like', async () => {
      const database = await engine.open([purses])
      const texts = ["'; drop table test_purse; --", '$1', '\\x00', '$' + '{7*7}', 'ก็ 🙂 é', '"[[[[" is text', '__proto__', "E'\\x41'"]
      await database.transaction((tx) =>
        write(texts.length, tx.insertInto('test_purse').values(texts.map((owner, id) => ({ ...purse(id), owner })))),
      )
      const rows = await database.db.selectFrom('test_purse').select('owner').orderBy('id').execute()
      expect(rows.map((row) => row.owner)).toEqual(texts)
      await expect(
        database.db
          .insertInto('test_purse')
          .values({ ...purse(90), owner: 'a\u0000b' })
          .execute(),
      ).rejects.toThrow()
    })

    test('migrations run once, in order, and an older build is refused', async () => {
      const place = await engine.place('empty')
      const ran: string[] = []
      const step = (id: string): Migration => ({ id, up: async () => void ran.push(id) })
      const open = (migrations: Migration[]) => openDatabase({ ...place, log: createLog('silent'), onFatal: () => {}, migrations })
      await (await open([step('a'), step('b')])).close()
      await (await open([step('a'), step('b')])).close()
      await (await open([step('a'), step('b'), step('c')])).close()
      expect(ran).toEqual(['a', 'b', 'c'])
      await expect(open([step('a')])).rejects.toThrow(/newer than this build.*b, c/)
      await expect(open([step('a'), step('a')])).rejects.toThrow(/two migrations/)
      const half: Migration = {
        id: 'd',
        async up(tx) {
          await sql`create table half_made (id int)`.execute(tx)
          throw new Error('power cut')
        },
      }
      await expect(open([step('a'), step('b'), step('c'), half])).rejects.toThrow('power cut')
      const database = await open([step('a'), step('b'), step('c')])
      expect(await one(database, sql`select to_regclass('half_made') as there`)).toEqual({ there: null })
      await database.close()
    })

    test('a step that stands for earlier ones takes a database over that has them all, and refuses one that has some', async () => {
      const ran: string[] = []
      const step = (id: string, replaces?: string[]): Migration => ({
        id,
        ...(replaces && { replaces }),
        up: async () => void ran.push(id),
      })
      const before = ['a-1', 'a-2', 'config-a-1'].map((id) => step(id))
      const after = [step('a-base', ['a-1']), step('b-base', ['a-2']), step('config-base', ['config-a-1']), step('b-next')]
      const opened = async (place: Awaited<ReturnType<typeof engine.place>>, migrations: Migration[]) => {
        ran.length = 0
        const database = await openDatabase({ ...place, log: createLog('silent'), onFatal: () => {}, migrations })
        const rows = await database.db.selectFrom('migration').select('id').orderBy('id').execute()
        await database.close()
        return { ran: [...ran], applied: rows.map(({ id }) => id) }
      }
      const applied = ['a-base', 'b-base', 'b-next', 'config-base']
      const [whole, fresh, half] = [await engine.place('empty'), await engine.place('empty'), await engine.place('empty')]
      await opened(whole, before)
      expect(await opened(whole, after)).toEqual({ ran: ['b-next'], applied })
      expect(await opened(whole, after)).toEqual({ ran: [], applied })
      await expect(opened(whole, before)).rejects.toThrow(
        `newer than this build: it has the migrations ${['a-base', 'b-base', 'config-base', 'b-next'].join(', ')}`,
      )
      expect(await opened(fresh, after)).toEqual({ ran: ['a-base', 'b-base', 'config-base', 'b-next'], applied })
      await opened(half, [before[0]!, before[2]!])
      const refusal =
        'the database is of an earlier build: open it once with the build of commit b78e0c11 first, as docs/guides/upgrade.md describes'
      await expect(opened(half, after)).rejects.toMatchObject({ name: 'StartRefused', message: refusal })
      expect(await opened(half, before)).toEqual({ ran: ['a-2'], applied: ['a-1', 'a-2', 'config-a-1'] })
      await expect(opened(half, [...after, step('a-2')])).rejects.toThrow('a migration has the id of a replaced one: a-2')
    })

    test('either server alone opens a database that the other one has migrated, and each refuses to be the older one', {
      tags: 'full',
    }, async () => {
      const place = await engine.place('empty')
      const ran: string[] = []
      const step = (id: string): Migration => ({ id, up: async () => void ran.push(id) })
      const open = async (...ids: string[]) => {
        const database = await openDatabase({ ...place, log: createLog('silent'), onFatal: () => {}, migrations: ids.map(step) })
        await database.close()
      }
      await open('content-1', 'config-a-1')
      await open('content-1')
      await open('config-a-1', 'config-b-1')
      await open('content-1', 'market-1')
      expect(ran).toEqual(['content-1', 'config-a-1', 'config-b-1', 'market-1'])
      await expect(open('config-a-1')).rejects.toThrow(/newer than this build.*config-b-1$/)
      await expect(open('content-1')).rejects.toThrow(/newer than this build.*market-1$/)
      await open('content-1', 'market-1', 'config-a-1', 'config-b-1')
    })

    test('a batch of writes lets timers through', async () => {
      const database = await engine.open([purses])
      let ticks = 0
      const timer = setInterval(() => ticks++, 1)
      for (let id = 0; id < 200; id++) await database.db.insertInto('test_purse').values(purse(id)).execute()
      clearInterval(timer)
      expect(ticks).toBeGreaterThan(5)
      expect((await ids(database)).length).toBe(200)
    })

    test('a table that was changed meanwhile is read as it is now, also when the change was undone', async () => {
      const database = await engine.open([purses])
      const named = async (tx: Pick<Tx, 'selectFrom'> = database.db) =>
        Object.keys(await tx.selectFrom('test_purse').selectAll().executeTakeFirstOrThrow())
      const before = ['id', 'owner', 'amount', 'note']
      await database.transaction((tx) => write(1, tx.insertInto('test_purse').values(purse(1))))
      for (let time = 0; time < 12; time++) expect(await named()).toEqual(before)
      const undone = database.transaction(async (tx) => {
        await sql`alter table test_purse add column gone int`.execute(tx)
        expect(await named(tx)).toEqual([...before, 'gone'])
        throw new Error('changed my mind')
      })
      await expect(undone).rejects.toThrow('changed my mind')
      expect(await named()).toEqual(before)
      await sql`alter table test_purse add column more int`.execute(database.db)
      expect(await database.transaction((tx) => named(tx))).toEqual([...before, 'more'])
      await sql`alter table test_purse drop column more`.execute(database.db)
      for (let time = 0; time < 12; time++) expect(await named()).toEqual(before)
      const attempt = database.transaction((tx) => write(1, tx.insertInto('test_purse').values(purse(1))))
      await expect(attempt).rejects.toMatchObject({ code: '23505' })
      expect(await ids(database)).toEqual([1])
    })

    test.runIf(engine.restart)(
      'a database server that ends and comes back costs some calls, never the process or what was acknowledged',
      async () => {
        const database = await engine.open([purses])
        const acked: number[] = []
        let isOver = false
        const clients = Array.from({ length: 4 }, async (_, client) => {
          for (let id = client; !isOver; id += 4) {
            const done = database.transaction((tx) => write(1, tx.insertInto('test_purse').values(purse(id))))
            await done.then(
              () => acked.push(id),
              () => new Promise((wake) => setTimeout(wake, 20)),
            )
          }
        })
        try {
          await eventually(() => acked.length).toBeGreaterThan(50)
          await engine.restart?.()
          const before = acked.length
          await eventually(() => acked.length).toBeGreaterThan(before + 50)
        } finally {
          isOver = true
          await Promise.all(clients)
        }
        const stored = new Set(await ids(database))
        expect(acked.filter((id) => !stored.has(id))).toEqual([])
      },
    )
  },
  { ownServer: true },
)
