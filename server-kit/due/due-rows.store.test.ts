import { sql } from 'kysely'
import { Registry } from 'prom-client'
import { beforeEach, expect, test } from 'vitest'
import { ApiProblem } from '#contract/problem.ts'
import { type Database, type Migration, write } from '#server-kit/db/db.ts'
import { dueMigration } from '#server-kit/due/due.migration.ts'
import { dueLimits } from '#server-kit/due/due.rules.ts'
import { type AloneJob, dueRows, type TogetherJob } from '#server-kit/due/due-rows.ts'
import { dueTable } from '#server-kit/due/due-table.ts'
import { createDeadRows } from '#server-kit/due/faults.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { onBothEngines } from '#tests/support/databases/engines.ts'

declare module '#server-kit/db/db.ts' {
  interface Tables {
    due_plan: { id: number; due_at: number; last_at: number }
    due_paid: { plan_id: number; day: number }
  }
}
type Plan = { id: number; due_at: number; last_at: number }

const dayMs = 86_400_000
const start = 1_800_000_000_000
/** A payment for each day; the database refuses a second one for a day. */
const planMigration: Migration = {
  id: 'plan-1',
  async up(tx) {
    await sql`create table due_plan (id int primary key, due_at bigint not null, last_at bigint not null)`.execute(tx)
    await sql`create table due_paid (plan_id int not null, day bigint not null, primary key (plan_id, day))`.execute(tx)
  },
}

onBothEngines('due rows', (engine) => {
  let [now, lines]: [number, { level: number; msg: string; row?: string; job?: string }[]] = [start, []]
  const log = createLog('warn', { write: (line: string) => void lines.push(JSON.parse(line)) })
  const clock = { now: () => now }
  let database: Database
  beforeEach(async () => {
    ;[now, lines] = [start, []]
    database ??= await engine.open([dueMigration, planMigration])
    for (const table of ['due_paid', 'due_plan', 'due_fault']) await sql`delete from ${sql.table(table)}`.execute(database.db)
  })

  const add = async (...plans: [id: number, dueAt: number, days?: number][]) => {
    const rows = plans.map(([id, due_at, days = 1]) => ({ id, due_at, last_at: due_at + (days - 1) * dayMs }))
    await write(rows.length, database.db.insertInto('due_plan').values(rows))
  }
  const paid = async () => {
    const { rows } = await sql<{ plan_id: number; day: number }>`select plan_id, day from due_paid order by plan_id, day`.execute(
      database.db,
    )
    return rows.map(({ plan_id, day }) => [plan_id, (day - start) / dayMs])
  }
  const source = () => dueTable(database, { table: 'due_plan', due: 'due_at', where: sql`due_at <= last_at` })
  const constrain = (how: string) => sql.raw(`alter table due_paid ${how}`).execute(database.db)
  function payer(over: Partial<TogetherJob<Plan, undefined, readonly number[]>> = {}) {
    const done: number[] = []
    const job = dueRows<Plan, undefined, readonly number[]>(
      { database, clock, log },
      {
        name: 'plan',
        source: source(),
        everyMs: 60_000,
        together: 3,
        async run(tx, works) {
          const days = works.map(({ row }) => ({ plan_id: row.id, day: row.due_at }))
          await write(days.length, tx.insertInto('due_paid').values(days))
          for (const { row } of works)
            await write(
              1,
              tx
                .updateTable('due_plan')
                .set({ due_at: row.due_at + dayMs })
                .where('id', '=', row.id)
                .where('due_at', '=', row.due_at),
            )
          return works.map(({ row }) => row.id)
        },
        after: (ids) => void done.push(...ids),
        ...over,
      },
    )
    return { job, done }
  }

  test('rows that are due are done in the order of their time, and each missed day becomes a row of its own', async () => {
    await add([1, start + 1], [2, start, 3], [3, start - dayMs, 2], [4, start + dayMs])
    const { job, done } = payer({ pageMost: 2 })
    expect(await job.pass()).toBe(3)
    expect(await paid()).toEqual([
      [2, 0],
      [3, -1],
      [3, 0],
    ])
    now += 2 * dayMs
    expect(await job.pass()).toBe(4)
    expect(await paid()).toEqual([
      [1, 1 / dayMs],
      [2, 0],
      [2, 1],
      [2, 2],
      [3, -1],
      [3, 0],
      [4, 1],
    ])
    expect(done.toSorted()).toEqual([1, 2, 2, 2, 3, 3, 4])
    expect([await job.pass(), job.counts().done]).toEqual([0, 7])
    expect(lines).toEqual([])
  })

  test('several nodes at once do each row once', async () => {
    await add(...Array.from({ length: 40 }, (_, id): [number, number, number] => [id, start - dayMs * 2, 3]))
    const nodes = Array.from({ length: 4 }, () => payer())
    await Promise.all(nodes.flatMap(({ job }) => [job.pass(), job.pass()]))
    await nodes[0]!.job.pass()
    expect(await paid()).toEqual(Array.from({ length: 40 }, (_, id) => [-2, -1, 0].map((day) => [id, day])).flat())
    expect(nodes.reduce((all, { job }) => all + job.counts().done, 0)).toBe(120)
  })

  test('a row that fails keeps no other waiting, comes back later and later, is given up after six failures, and done when an operator says so', async () => {
    await add([1, start], [2, start], [3, start])
    const gaveUp: number[] = []
    const { job } = payer({ gaveUp: async (_tx, row) => void gaveUp.push(row.id) })
    const registry = new Registry()
    job.measure(registry)
    await constrain('add constraint stuck check (plan_id <> 2)')
    expect(await job.pass()).toBe(2)
    expect([await paid(), job.counts().failures, job.counts().waiting]).toEqual([
      [
        [1, 0],
        [3, 0],
      ],
      1,
      1,
    ])
    const tried = [0]
    for (let ms = 0; gaveUp.length === 0 && ms < 3_600_000; ms += 1_000) {
      now = start + ms
      const before = job.counts().failures
      await job.pass()
      if (job.counts().failures > before) tried.push(ms)
    }
    const waits = tried.slice(1).map((at, i) => (at - tried[i]!) / (dueLimits.firstRetryMs * 4 ** i))
    expect([waits.length, gaveUp]).toEqual([dueLimits.triesMax - 1, [2]])
    for (const wait of waits) expect(wait).toSatisfy((times: number) => times >= 1 && times <= 1.4)
    const text = await registry.metrics()
    for (const line of ['figure="waiting"} 1', 'figure="dead"} 1', 'figure="failed"} 0', 'figure="failures"} 6'])
      expect(text).toContain(`tessera_due{job="plan",${line}`)
    expect(lines.filter(({ msg }) => msg.includes('given up'))).toMatchObject([{ level: 50, job: 'plan', row: '2' }])
    await constrain('drop constraint stuck')
    now += 30 * dayMs
    expect(await job.pass()).toBe(0)
    const dead = createDeadRows(database)
    const { list, total } = await dead.page({ offset: 0, size: 10 })
    expect([total, list]).toMatchObject([1, [{ job: 'plan', key: '2', tries: 6, fault: expect.stringContaining('stuck') }]])
    const retry = (id: number) => database.transaction((tx) => dead.retry(tx, id))
    expect(await retry(list[0]!.id)).toMatchObject({ job: 'plan', key: '2' })
    expect(await retry(list[0]!.id)).toBeUndefined()
    expect(await job.pass()).toBe(1)
    expect(await paid()).toContainEqual([2, 0])
    expect(await database.db.selectFrom('due_fault').selectAll().execute()).toEqual([])
  })

  test('a row that has to wait longer is no failure; one that waits for more than two minutes raises one alert', async () => {
    await add([1, start], [2, start + 1_000])
    const waits = payer({ prepare: () => async () => undefined })
    now = start + dueLimits.lateMs
    expect([await waits.job.pass(), lines]).toEqual([0, []])
    now++
    expect([await waits.job.pass(), await waits.job.pass()]).toEqual([0, 0])
    expect(lines.map(({ level, msg }) => [level, msg])).toEqual([[50, 'due rows: a row has been due for too long']])
    expect([waits.job.counts(), await paid()]).toMatchObject([{ failures: 0, waiting: 2 }, []])
  })

  test('a failure of the database says nothing about a row, and what could not be found for one is a failure of it alone', async () => {
    await add([1, start], [2, start])
    const away = payer({ run: () => Promise.reject(new ApiProblem('busy')) })
    await expect(away.job.pass()).rejects.toMatchObject({ code: 'busy' })
    expect([away.job.counts().failures, await database.db.selectFrom('due_fault').selectAll().execute()]).toEqual([0, []])
    const lost = payer({
      prepare: () => async (row) => {
        if (row.id === 1) throw new Error('no price')
        return undefined as never
      },
    })
    await lost.job.pass()
    expect(await database.db.selectFrom('due_fault').select(['key', 'tries', 'fault']).execute()).toEqual([
      { key: '1', tries: 1, fault: 'no price' },
    ])
  })

  test('rows that are done one by one: some at a time, a refusal waits without an end, a failure that another way has mended is forgotten', async () => {
    await add([1, start], [2, start], [3, start])
    let [running, most] = [0, 0]
    const refusals = new Set([2])
    const job: AloneJob<Plan> = {
      name: 'alone',
      source: source(),
      everyMs: 60_000,
      atOnce: 2,
      isLater: (error) => error instanceof ApiProblem,
      async each({ id }) {
        most = Math.max(most, ++running)
        await new Promise(setImmediate)
        running--
        if (refusals.has(id)) throw new ApiProblem('market_closed')
        if (id === 3) throw new Error('broken')
        await write(1, database.db.updateTable('due_plan').set({ last_at: 0 }).where('id', '=', id))
      },
    }
    const rows = dueRows({ database, clock, log }, job)
    expect([await rows.pass(), most]).toEqual([1, 2])
    for (let tries = 0; tries < 8; tries++) await rows.pass()
    expect(rows.counts()).toMatchObject({ done: 1, failures: 10 })
    refusals.clear()
    expect(await rows.pass()).toBe(1)
    expect(await database.db.selectFrom('due_fault').select(['key', 'tries']).execute()).toEqual([{ key: '3', tries: 1 }])
    await write(1, database.db.updateTable('due_plan').set({ last_at: 0 }).where('id', '=', 3))
    await rows.clean()
    expect(await database.db.selectFrom('due_fault').selectAll().execute()).toEqual([])
  })
})
