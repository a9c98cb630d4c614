import { sql } from 'kysely'
import { type Migration, write } from '#server-kit/db/db.ts'
import { openDatabase } from '#server-kit/db/open-database.ts'
import { createBackups } from '#server-kit/files/backups.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { diesAt } from '#tests/support/killed/dies-at.ts'
import { say } from '#tests/support/say.ts'
import '#tests/support/killed/store-child.tables.ts'

/**
 * A process to be killed: opens the embedded database in the folder of its first argument and performs its second argument; `copy` writes,
 * and repeatedly copies the database to `<folder>-copies`. Each line of standard output is an event: `open`, `ack <id>` after a commit,
 * `fatal`, `closed`. A third argument gives the file change at which it dies; it then prints `entries <count>` after `open`, and for 0 all
 * changes, as `change <what> <file>`.
 */
const [dataDir = '', task = '', end] = process.argv.slice(2)

/** A clock that moves one second for each copy. */
function countingClock() {
  let now = Date.now()
  return { now: () => (now += 1_000) }
}

const entries: Migration = {
  id: 'crash-1',
  async up(tx) {
    await sql`create table crash_entry (id bigint primary key, half int not null, note text)`.execute(tx)
    await sql`create table crash_half (id bigint primary key)`.execute(tx)
  },
}

async function run(): Promise<void> {
  const lastId = async () => {
    const last = await database.db
      .selectFrom('crash_entry')
      .select(({ fn }) => fn.max('id').as('id'))
      .executeTakeFirst()
    return Number(last?.id ?? 0)
  }
  async function store(id: number): Promise<void> {
    await database.transaction(async (tx) => {
      await write(1, tx.insertInto('crash_half').values({ id }))
      await write(1, tx.insertInto('crash_entry').values({ id, half: id, note: 'x'.repeat(200) }))
    })
    say(`ack ${id}`)
  }
  const onFatal = () => {
    say('fatal')
    process.exit(70)
  }
  if (end !== undefined) diesAt(Number(end), (change) => say(`change ${change}`))
  const database = await openDatabase({ dataDir, log: createLog('silent'), onFatal, migrations: [entries] })
  say('open')
  if (task === 'hold') return void setInterval(() => {}, 1_000)
  if (end !== undefined) {
    const id = await lastId()
    say(`entries ${id}`)
    await store(id + 1)
  }
  if (task === 'copy') {
    const copies = createBackups({ database, dir: `${dataDir}-copies`, everyMs: 1, clock: countingClock(), log: createLog('silent') })
    const copy = async () => {
      for (;;) {
        say('copying')
        say((await copies.run()) ? 'copied' : 'failed')
      }
    }
    void copy()
  }
  if (task === 'write' || task === 'copy') for (let id = (await lastId()) + 1; ; id++) await store(id)
  // A stack overflow inside the engine, past every guard: `repeat` builds the deep text inside the database.
  if (task === 'overflow') {
    const attempt = database.transaction(async (tx) => {
      await write(1, tx.insertInto('crash_half').values({ id: 1_000_000 }))
      await sql`insert into crash_half select length((repeat('[', 9000) || repeat(']', 9000))::jsonb::text)`.execute(tx)
    })
    await attempt.then(
      () => say('stored'),
      () => say('refused'),
    )
  }
  if (task === 'close') {
    await database.close()
    say('closed')
  }
}

run().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})
