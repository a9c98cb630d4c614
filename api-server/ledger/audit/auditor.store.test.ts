import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, expect, test, vi } from 'vitest'
import { createIdempotency, type IdempotencyKeys, keyLimits } from '#api-server/idempotency/keys.ts'
import { auditorLimits, createAuditor, readMarks } from '#api-server/ledger/audit/auditor.ts'
import { migrations } from '#api-server/migrations.ts'
import { contract } from '#contract/contract.ts'
import type { Database } from '#server-kit/db/db.ts'
import { createSettableClock } from '#server-kit/ops/clock.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { createSecrets } from '#server-kit/security/secrets.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { coins, type LedgerStage, moved, stageLedger } from '#tests/support/databases/ledger-stage.ts'
import { startApi } from '#tests/support/servers/api.ts'
import { envelopeOf, refusal } from '#tests/support/servers/envelope.ts'

const ann = 100_001
const tables = ['ledger_event', 'ledger_posting', 'ledger_account'] as const

onEngines('audits of a running server', (engine) => {
  let database: Database
  let stage: LedgerStage
  let once: IdempotencyKeys
  let lines: { event?: string; check?: string }[] = []
  const clock = createSettableClock()
  const log = createLog('error', { write: (line) => void lines.push(JSON.parse(line)) })
  const auditor = () => createAuditor({ database, clock, log })
  let source = 0
  const transfer = () =>
    once.run(
      { lang: 'en', token: 'x', agent: '', ip: '', user: { uid: ann, session: 's' }, key: randomUUID() },
      { call: 'wallet.transfer', input: { amount: '1' } },
      (tx) => {
        const event = { kind: 'transfer', source: `transfer:${++source}`, uid: ann, at: clock.now() } as const
        return stage.ledger.post(tx, { ...event, postings: moved(ann, '1', 'change', 'lever', coins.usdt) })
      },
    )
  /** Bypasses the triggers, as damage of files would. */
  const meddle = (work: (db: Database['db']) => Promise<unknown>) =>
    database.transaction(async (tx) => {
      for (const table of tables) await sql`alter table ${sql.table(table)} disable trigger user`.execute(tx)
      await work(tx)
      for (const table of tables) await sql`alter table ${sql.table(table)} enable trigger user`.execute(tx)
    })

  beforeAll(async () => {
    database = await engine.open(migrations)
    stage = await stageLedger(database)
    once = createIdempotency({ database, clock, log, secrets: createSecrets('k'.repeat(32)) })
    await stage.credit(ann, '1000')
    for (let n = 0; n < 8; n++) await transfer()
    for (const table of [...tables, 'once_key', 'once_sweep'])
      await sql`create table ${sql.table(`${table}_copy`)} as select * from ${sql.table(table)}`.execute(database.db)
  })
  /** Undoes every damage. */
  const restore = () =>
    meddle(async (db) => {
      for (const table of [...tables, 'once_key', 'once_sweep']) {
        await sql`delete from ${sql.table(table)}`.execute(db)
        const id = table === 'ledger_account' ? sql`overriding system value ` : sql``
        await sql`insert into ${sql.table(table)} ${id}select * from ${sql.table(`${table}_copy`)}`.execute(db)
      }
    })

  const cuts: [what: string, check: string, statement: ReturnType<typeof sql>][] = [
    ['the last lines', 'I9', sql`delete from ledger_posting where event_id > 6`],
    ['lines in the middle', 'I9', sql`delete from ledger_posting where event_id = 4`],
    ['all lines', 'I9', sql`delete from ledger_posting`],
    ['the last events', 'I9', sql`delete from ledger_event where id > 6`],
    ['all events', 'I9', sql`delete from ledger_event`],
    ['an account', 'I1', sql`delete from ledger_account where key like 'user:%' and key like '%lever%'`],
    ['all accounts', 'I9', sql`delete from ledger_account`],
    ['half of the keys', 'I4', sql`delete from once_key where ctid in (select ctid from once_key order by key limit 4)`],
    ['all keys', 'I4', sql`delete from once_key`],
    ['the answer of a key', 'I4', sql`update once_key set answer = null, sealed = null where ctid in (select ctid from once_key limit 1)`],
  ]
  test.each(cuts)('the audit at start finds that %s are missing, and refuses money calls', async (_what, check, statement) => {
    lines = []
    await meddle((db) => statement.execute(db))
    const found = auditor()
    await found.quick()
    expect(found.state()).toBe('broken')
    expect(() => found.admit(contract['wallet.transfer'])).toThrow('ledger_inconsistent')
    for (const name of ['wallet.getAsset', 'user.editNickname'] as const) found.admit(contract[name])
    expect(lines.map((line) => [line.event, line.check?.slice(0, 2)])).toContainEqual(['audit', check])
    await restore()
    await found.quick()
    expect(found.state()).toBe('sound')
    found.admit(contract['wallet.transfer'])
  })

  test('the full audit finds damage in an old line, slice by slice, and finds that it was repaired', async () => {
    const running = auditor()
    const round = async () => {
      let slices = 0
      while (await running.step()) slices++
      return slices
    }
    expect(running.state()).toBe('unchecked')
    expect(() => running.admit(contract['wallet.transfer'])).toThrow('ledger_inconsistent')
    expect(await round()).toBeGreaterThan(5)
    expect(running.metrics()).toMatchObject({ breaches: 0, full_success: Math.floor(clock.now() / 1_000) })
    // Two lines that cancel each other: no sum and no count changes.
    await meddle((db) => sql`update ledger_posting set amount = amount * 2 where event_id = 3`.execute(db))
    const startedAt = clock.now()
    await round()
    expect(running.state()).toBe('broken')
    const marks = await readMarks(database)
    expect(marks.length).toBeGreaterThan(0)
    for (const { name, at, why } of marks) {
      expect(at, name).toBeGreaterThanOrEqual(startedAt)
      expect(why, name).toMatch(/\w/)
    }
    // Time and reason of the first finding stay.
    clock.set(clock.now() + 90_000)
    await round()
    clock.set(undefined)
    const firsts = (some: typeof marks) => some.map(({ name, at, why }) => [name, at, why])
    const again = await readMarks(database)
    expect(firsts(again)).toEqual(firsts(marks))
    expect(again.reduce((sum, { found }) => sum + found, 0)).toBeGreaterThan(marks.reduce((sum, { found }) => sum + found, 0))
    // After a restart, or on another node, before the audit reaches the damaged slice.
    const restarted = auditor()
    await restarted.quick()
    expect(restarted.state()).toBe('broken')
    expect(() => restarted.admit(contract['wallet.transfer'])).toThrow('ledger_inconsistent')
    await restore()
    await restarted.quick()
    expect(restarted.state()).toBe('broken')
    await round()
    expect(running.state()).toBe('sound')
    expect(await readMarks(database)).toEqual([])
    expect(running.metrics().breaches).toBe(0)
    const later = auditor()
    await later.quick()
    expect(later.state()).toBe('sound')
  })

  test('a finding of another node during a round stays after the round; that of a check that no longer exists does not', async () => {
    const running = auditor()
    expect(await running.step()).toBe(true)
    const name = 'I2 no balance of a customer and no position is below zero, or not a number'
    await sql`insert into ledger_broken (name, found) values (${name}, 1)`.execute(database.db)
    while (await running.step());
    // The quick checks at the end of the round read all rows after that record.
    expect(running.state()).toBe('sound')
    const chain = 'I9 the lines, played again, give the same chain of hashes'
    expect(await running.step()).toBe(true)
    await sql`insert into ledger_broken (name, found) values (${chain}, 1), ('I0 a check of an earlier release', 1)`.execute(database.db)
    while (await running.step());
    expect(running.state()).toBe('broken')
    while (await running.step());
    expect(running.state()).toBe('sound')
    const { rows } = await sql`select name from ledger_broken`.execute(database.db)
    expect(rows).toEqual([])
  })

  test('a start clears the mark of a check without slices whose rows are sound, and leaves others to a round', async () => {
    const [taken, chain] = [
      'I8 what is taken from an offer is what its orders ask for that wait or were settled',
      'I9 the lines, played again, give the same chain of hashes',
    ]
    const marked = async (...names: string[]) => {
      await sql`delete from ledger_broken`.execute(database.db)
      for (const name of names) await sql`insert into ledger_broken (name, found) values (${name}, 1)`.execute(database.db)
      const started = auditor()
      await started.quick()
      return [started.state(), (await readMarks(database)).map(({ name }) => name)]
    }
    expect(await marked(taken)).toEqual(['sound', []])
    expect(await marked(taken, chain)).toEqual(['broken', [chain]])
    await sql`delete from ledger_broken`.execute(database.db)
  })
  test('while calls constantly wait for the database, the audit still advances slowly', async () => {
    const busy = createAuditor({ database: { ...database, waiting: () => 1 }, clock, log })
    await busy.quick()
    const slices = busy.metrics().slices
    for (let n = 0; n < auditorLimits.turnsSkippedMax; n++) expect(await busy.turn()).toBe(auditorLimits.pauseMs)
    expect(busy.metrics().slices).toBe(slices)
    await busy.turn()
    expect(busy.metrics().slices).toBe(slices + 1)
  })

  test('a slice that cannot be read does not end a round, and the round does not count as full', async () => {
    const running = auditor()
    await running.quick()
    // Produces an SQL error that the auditor does not classify as damage.
    await sql`alter table ledger_event rename column source to source_away`.execute(database.db)
    let pause = 0
    let turns = 0
    while (pause !== auditorLimits.everyMs && ++turns < 100) pause = await running.turn()
    await sql`alter table ledger_event rename column source_away to source`.execute(database.db)
    expect(pause).toBe(auditorLimits.everyMs)
    expect(running.metrics()).toMatchObject({ full_success: 0, breaches: 0 })
    while (await running.step());
    expect(running.metrics().full_success).toBe(Math.floor(clock.now() / 1_000))
  })

  test('a server whose first audit failed tries again at once', async () => {
    const early = auditor()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      early.start()
      vi.advanceTimersByTime(auditorLimits.pauseMs)
    } finally {
      vi.useRealTimers()
    }
    await early.stop()
    expect(early.state()).toBe('sound')
  })

  test('keys removed for their age are not reported as missing; keys of later events are', async () => {
    clock.set(clock.now() + keyLimits.keptMs + 3_600_000)
    expect(await once.removeOld()).toBe(8)
    await transfer()
    const later = auditor()
    await later.quick()
    expect(later.state()).toBe('sound')
    await sql`delete from once_key`.execute(database.db)
    await later.quick()
    expect(later.state()).toBe('broken')
    clock.set(undefined)
  })

  test('a server that starts on a truncated ledger reports it, answers reads and refuses transfers', async () => {
    const place = await engine.place()
    const first = await startApi({ place })
    const who = envelopeOf(await first.post('/test/user')).data as { token: string; uid: number }
    await first.post('/test/credit', { user: String(who.uid), account: 'change', currency: 'USDT', amount: '10' })
    const fields = { from: 'change', to: 'lever', currency_id: '3', amount: '1' }
    const earlier = { authorization: who.token, 'idempotency-key': randomUUID() }
    const done = await first.post('/api/wallet/transfer', fields, earlier)
    expect(envelopeOf(done).code).toBe(1)
    await sql`alter table ledger_posting disable trigger user`.execute(first.database.db)
    await sql`delete from ledger_posting where event_id = (select max(event_id) from ledger_posting)`.execute(first.database.db)
    await first.close()
    const second = await startApi({ place })
    try {
      expect((await second.get('/health')).json()).toMatchObject({ status: 'degraded', database: 'up', ledger: 'broken' })
      const headers = { authorization: who.token, 'idempotency-key': randomUUID() }
      const answer = await second.post('/api/wallet/transfer', fields, headers)
      expect(refusal(answer)).toBe('503 ledger_inconsistent')
      expect(answer.headers['retry-after']).toBe('60')
      expect(refusal(await second.post('/api/wallet/transfer', fields, { authorization: who.token }))).toBe('503 ledger_inconsistent')
      const repeated = await second.post('/api/wallet/transfer', fields, earlier)
      expect([repeated.text, repeated.headers['idempotent-replayed']]).toEqual([done.text, 'true'])
      // Saving a bank card moves no money of the ledger.
      const card = { real_name: 'Ann Lee', bank_account: '6222020280112233' }
      expect(envelopeOf(await second.post('/api/user/cash_save', card, headers)).code).toBe(1)
      expect(envelopeOf(await second.get('/api/user/info', { authorization: who.token })).code).toBe(1)
    } finally {
      await second.close()
    }
  })
})
