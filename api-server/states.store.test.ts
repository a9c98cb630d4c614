import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { migrations } from '#api-server/migrations.ts'
import type { Database, Migration, Tx } from '#server-kit/db/db.ts'
import { hashOfGuards, type StateGuard, type StatesMigration } from '#server-kit/db/state-guard.ts'
import { onEngines } from '#tests/support/databases/engines.ts'

const steps = migrations.filter((step: Migration): step is StatesMigration => 'guards' in step)
const lastSteps = new Map(steps.flatMap((step) => step.guards.map((guard) => [guard.name, step] as const)))
const guards = [...lastSteps].map(([name, step]) => step.guards.find((guard) => guard.name === name)!)

/**
 * The hash of the SQL that each step creates. A step runs once in a database: where a machine or a guard has changed, add a step to the
 * module's migrations, and its line here.
 */
const created: Record<string, string> = {
  'dual-states-1': '26aa694d8394',
  'dual-states-2': 'e9612c149afc',
  'follow-states-1': 'b4261973b181',
  'identity-states-1': 'de2b011178a4',
  'ieo-states-1': '81ebbdfc99ed',
  'lever-states-1': 'f8e6f8478605',
  'mic-states-1': 'a58c2000ebbf',
  'office-states-1': 'de23f1c465bf',
  'otc-states-1': 'e199bb9d4d72',
  'spot-states-1': 'e4f214bada7d',
  'wallet-states-1': 'd31818150669',
  'mining-states-1': 'a1126c6c7973',
  'mining-states-2': '460715ac5023',
}
test('a changed guard has another step', () => {
  expect(Object.fromEntries([...new Set(lastSteps.values())].map(({ id, guards }) => [id, hashOfGuards(guards)]))).toEqual(created)
})

/**
 * Copies a table without its constraints, so that a row of any state fits, and gives the copy the triggers that the database has for the guard.
 * @returns a column that may change
 */
async function copied(tx: Tx, { name, table, column, fixed, fixedIn, free }: StateGuard): Promise<string> {
  await sql`create temp table probe (like ${sql.table(table)}) on commit drop`.execute(tx)
  const { rows: columns } = await sql<{ name: string }>`select attname as name from pg_attribute
    where attrelid = 'probe'::regclass and attnum > 0 order by attnum`.execute(tx)
  for (const one of columns) await sql`alter table probe alter column ${sql.ref(one.name)} drop not null`.execute(tx)
  const { rows: triggers } = await sql<{ name: string; made: string }>`select tgname as name, pg_get_triggerdef(oid) as made from pg_trigger
    where tgrelid = ${table}::regclass and tgfoid = ${`${name}_moves`}::regproc and tgenabled = 'O' order by tgname`.execute(tx)
  expect(triggers.map((trigger) => trigger.name)).toEqual([`${name}_row`, `${name}_table`])
  for (const { made } of triggers) {
    expect(made).toContain(` ON public.${table} `)
    await sql.raw(made.replace(` ON public.${table} `, ' ON probe ')).execute(tx)
  }
  const others = [column, ...fixed, ...free, ...Object.values(fixedIn).flat()]
  return columns.findLast((one) => !others.includes(one.name))!.name
}
/** Does it to a row of the state, and undoes it. @returns the refusal of the database; 'done' without one */
async function tried(tx: Tx, { column, only }: StateGuard, state: string, statement: string): Promise<string> {
  await sql`savepoint before`.execute(tx)
  const values = { [column]: state, ...(only && { [only[0]]: only[1] }) }
  const [names, texts] = [Object.keys(values).map((name) => sql.ref(name)), Object.values(values).map((value) => sql.lit(value))]
  await sql`insert into probe (${sql.join(names)}) values (${sql.join(texts)})`.execute(tx)
  const found = await sql
    .raw(statement)
    .execute(tx)
    .then(
      () => 'done',
      (error: Error) => error.message,
    )
  await sql`rollback to savepoint before`.execute(tx)
  return found
}

onEngines('states of rows', (engine) => {
  let database: Database
  beforeAll(async () => {
    database = await engine.open(migrations)
  })

  test('each function that guards states belongs to a machine', async () => {
    const { rows } = await sql<{ name: string }>`select proname as name from pg_proc where proname like '%\\_moves' order by 1`.execute(
      database.db,
    )
    expect(rows.map(({ name }) => name)).toEqual(guards.map(({ name }) => `${name}_moves`).sort())
  })

  test.each(guards.map((guard) => [guard.name, guard] as const))('%s: the moves of the machine, and no other', async (_name, guard) => {
    const { table, column, machine, fixed, fixedIn, free } = guard
    const undone = new Error('undone')
    const work = database.transaction(async (tx) => {
      const changing = await copied(tx, guard)
      const set = (to: string, ...columns: readonly string[]) =>
        `update probe set ${[`${column} = '${to}'`, ...columns.map((name) => `${name} = '1'`)].join(', ')}`
      for (const from of machine.states) {
        for (const to of [...machine.states, 'unknown'])
          expect(await tried(tx, guard, from, set(to, changing)), `${from} to ${to}`).toBe(
            machine.moves.some(([one, other]) => one === from && other === to)
              ? 'done'
              : `a row of ${table} does not go from ${from} to ${to}`,
          )
        for (const removal of ['delete from probe', 'truncate probe'])
          expect(await tried(tx, guard, from, removal), removal).toBe(`rows of ${table} are not removed`)
        for (const name of free) expect(await tried(tx, guard, from, set(from, name)), name).toBe('done')
      }
      for (const [from, to] of machine.moves)
        for (const name of [...fixed, ...(fixedIn[from] ?? [])])
          expect(await tried(tx, guard, from, set(to, name)), `${name} from ${from} to ${to}`).toBe(
            `a fixed column of ${table} does not change`,
          )
      throw undone
    })
    await expect(work).rejects.toBe(undone)
  })
})
