import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { createIdempotency } from '#api-server/idempotency/keys.ts'
import { createLedgerReads } from '#api-server/ledger/ledger.reads.ts'
import { migrations } from '#api-server/migrations.ts'
import { atMost, type Bar, median, short } from '#bench/bars.ts'
import { newDataDir, removeDir } from '#bench/product.ts'
import { type Database, fixed, write } from '#server-kit/db/db.ts'
import { openDatabase } from '#server-kit/db/open-database.ts'
import type { Caller } from '#server-kit/http/http.ts'
import { systemClock } from '#server-kit/ops/clock.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { createSecrets } from '#server-kit/security/secrets.ts'

/** Compares the cost of a call in a small and in a large database. */
const few = { rows: 1_000, customers: 100 }
const calls = 400
const turns = 7
const firstUid = 1_000_001
const usdt = 3

/** Inserts customers and lines. Their hash chains are not valid; this database is not audited. */
async function fill(database: Database, from: { rows: number; customers: number }, to: { rows: number; customers: number }): Promise<void> {
  const { db } = database
  const accounts = sql`insert into ledger_account (key, currency, scale, uid, kind, part, balance)
    select format('user:%s:%s:available', u, k), ${usdt}::int, 8, u, k, 'available', 1000000
    from generate_series(${firstUid + from.customers}::bigint, ${firstUid + to.customers - 1}::bigint) u, unnest(array['change', 'lever']) k`
  await accounts.execute(db)
  const step = 50_000
  for (let at = from.rows; at < to.rows; at += step) {
    const end = Math.min(to.rows, at + step)
    await sql`insert into ledger_event (id, kind, source, uid, at) select nextval('ledger_event_id'), 'transfer', 'past:' || n,
      ${firstUid}::bigint + n % ${to.customers}::bigint, n from generate_series(${at}::bigint, ${end - 1}::bigint, 2) n`.execute(db)
    await sql`insert into ledger_posting (event_id, line, account_id, seq, uid, amount, balance, at, hash)
      select e.id, l.line, a.id, 1000000 + e.id, e.uid, l.amount, 1000000, e.at, sha256('')
      from ledger_event e cross join (values (1, 'change', -1), (2, 'lever', 1)) l (line, kind, amount)
      join ledger_account a on a.uid = e.uid and a.kind = l.kind
      where e.source like 'past:%' and e.at >= ${at}::bigint and e.at < ${end}::bigint`.execute(db)
  }
  await database.checkpoint()
  await sql`analyze`.execute(db)
}

/** Cost of the fastest tenth, in µs, which other load of the machine affects least. */
async function cost(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < calls; n++) {
    const from = performance.now()
    await work()
    times.push((performance.now() - from) * 1_000)
  }
  return times.sort((a, b) => a - b)[Math.floor(calls / 10)]!
}

/** The statement of the ledger. */
const posted = fixed(`insert into ledger_event (id, kind, source, uid, at)
  select ledger_post_all(array[$1::text], array[$2::text], array[$3::bigint], array[$4::bigint], array[1, 1], array[1, 2], $5::text[], $6::int[], $7::numeric[]),
    $1, $2, $3, $4 returning id`)

interface Subject {
  works: readonly (readonly [name: string, work: () => Promise<unknown>])[]
  close(): Promise<void>
}

/** A database of the given size, and the measured operations. */
async function subject(size: { rows: number; customers: number }): Promise<Subject> {
  const dataDir = newDataDir()
  const log = createLog('silent')
  const onFatal = (error: unknown) => {
    throw error
  }
  const database = await openDatabase({ dataDir, log, onFatal, isWatched: false, migrations })
  await sql`insert into currency (id, code, name, scale, status, position) values (${usdt}::int, 'USDT', 'Tether', 8, 1, 1)`.execute(
    database.db,
  )
  await fill(database, { rows: 0, customers: 0 }, size)
  const reads = createLedgerReads(database)
  const once = createIdempotency({ database, clock: systemClock, secrets: createSecrets('k'.repeat(32)), log })
  const anybody = () => firstUid + Math.floor(Math.random() * size.customers)
  const transfer = () => {
    const uid = anybody()
    const caller: Caller = { lang: 'en', token: '', agent: '', ip: '', key: randomUUID(), user: { uid, session: '' } }
    const keys = ['change', 'lever'].map((kind) => `user:${uid}:${kind}:available`)
    return once.run(caller, { call: 'wallet.transfer', input: { uid } }, async (tx) => {
      await write(1, posted(tx, ['transfer', randomUUID(), uid, 1, keys, [usdt, usdt], ['-1', '1']]))
    })
  }
  return {
    works: [
      // Before the transfers, which would lengthen the statements of the few customers more than those of the many.
      ['balances of a customer', () => reads.balances(anybody())],
      ['the first page of a bill', () => reads.statement(anybody(), {}, { offset: 0, size: 20 })],
      ['a transfer with its key', transfer],
    ],
    async close() {
      await database.close()
      removeDir(dataDir)
    },
  }
}

/** Both databases are open and measured alternately, so that neither has a warmer cache. */
export async function flatness(rows: number, customers: number): Promise<Bar[]> {
  const little = await subject(few)
  const much = await subject({ rows, customers })
  try {
    const bars: Bar[] = []
    for (const [at, [name, work]] of little.works.entries()) {
      const sides = [work, much.works[at]![1]] as const
      for (const side of [...sides, ...sides]) await cost(side)
      const ratios: number[] = []
      const costs: [number[], number[]] = [[], []]
      for (let round = 0; round < turns; round++) {
        for (const which of round % 2 ? ([1, 0] as const) : ([0, 1] as const)) costs[which].push(await cost(sides[which]))
        ratios.push(costs[1][round]! / costs[0][round]!)
      }
      const times = `${short(median(costs[0]))} and ${short(median(costs[1]))} µs`
      bars.push(
        atMost(`${name}: cost at ${rows} lines and ${customers} customers to that at ${few.rows}`, median(ratios), 1.2, ' ×', times),
      )
    }
    return bars
  } finally {
    await Promise.all([little.close(), much.close()])
  }
}
