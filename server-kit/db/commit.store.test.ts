import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Migration } from '#server-kit/db/db.ts'
import { openDatabase } from '#server-kit/db/open-database.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { layPostgresCable } from '#tests/support/servers/postgres-cable.ts'

const migrations: Migration[] = [{ id: 'commit-1', up: (tx) => sql`create table kept (n integer primary key)`.execute(tx) }]

onEngines('a connection that is lost at a commit', (engine) => {
  test.skipIf(engine.name === 'pglite')(
    'before it nothing is kept, after it everything is, and the outcome is unknown either way',
    async () => {
      const place = await engine.place('empty')
      const url = new URL(place.databaseUrl!)
      const cable = await layPostgresCable(`http://${url.host}`)
      url.host = new URL(cable.origin).host
      const database = await openDatabase({ ...place, databaseUrl: url.href, log: createLog('silent'), onFatal: () => {}, migrations })
      try {
        const put = (n: number) =>
          database
            .transaction((tx) => sql`insert into kept values (${n})`.execute(tx))
            .then(
              () => 'kept',
              (error: { code?: string }) => error.code,
            )
        const said = [await put(1)]
        cable.failCommit('before', 1)
        said.push(await put(2), await put(3))
        cable.failCommit('after', 0)
        said.push(await put(4), await put(5))
        expect(said).toEqual(['kept', 'kept', 'outcome_unknown', 'outcome_unknown', 'kept'])
        const { rows } = await sql<{ n: number }>`select n from kept order by n`.execute(database.db)
        expect(rows.map(({ n }) => n)).toEqual([1, 2, 4, 5])
        expect(cable.failed()).toEqual({ before: 1, after: 1 })
      } finally {
        await database.close()
        await cable.close()
      }
    },
  )
})
