import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Standing } from '#api-server/account/proof.ts'
import { defineQueue } from '#api-server/kit/queue.ts'
import { breachesOf } from '#api-server/ledger/audit/audit.ts'
import { migrations } from '#api-server/migrations.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Database } from '#server-kit/db/db.ts'
import { createSettableClock } from '#server-kit/ops/clock.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { officeOn, reviewer, take } from '#tests/support/databases/office-stage.ts'
import { refused } from '#tests/support/databases/wallet-stage.ts'

interface Wish {
  id: number
  uid: number
  status: 'reviewing' | 'granted' | 'refused'
  decided_by: string
}
const announced: string[] = []
const change = (status: Wish['status']) => sql`update wish set status = ${status}`

/** A queue over a table of its own. It borrows the calls of traders, whose shape it does not keep. */
const wishes = defineQueue<Database, Wish, 'office.traders', 'office.trader'>({
  subject: 'wish',
  list: 'office.traders',
  one: 'office.trader',
  rows: sql<Wish>`select * from wish`,
  table: 'wish' as 'trader_application',
  waiting: ['reviewing'],
  counts: { traders: ['reviewing'] },
  shown: async (_db, rows) => rows.map(({ uid: _, ...row }) => row) as never,
  whole: async () => ({ earlier: 7 }) as never,
  look: 'identity.look',
  steps: {
    'office.traderApprove': {
      action: 'trader.approve',
      to: ['granted'],
      async work({ decision, row, input }) {
        if (row.status !== 'reviewing') throw new ApiProblem('state_wrong')
        await sql`${change('granted')}, decided_by = ${decision.by} where id = ${row.id}`.execute(decision.tx)
        if (input.note === 'fails') throw new Error('after the change')
        return { row: { ...row, status: 'granted' }, notice: { kind: 'account_freed', figures: {} }, others: [5] }
      },
    },
    'office.traderReject': {
      action: 'trader.reject',
      to: ['refused'],
      async work({ decision, row }) {
        await sql`${change('refused')}, decided_by = ${decision.by} where id = ${row.id}`.execute(decision.tx)
        return { row: { ...row, status: 'refused' } }
      },
    },
  },
  announce: (_db, { id, uid }, others) => void announced.push(`${id} of ${uid}, and ${others.join()}`),
  audit: { about: 'a wish', over: 'user', range: 'id' },
})

onEngines('a review queue of the kit', (engine) => {
  let database: Database
  let queue: ReturnType<typeof wishes.open>
  const news: string[] = []
  let changes = 0
  const uid = 100_001
  const ann = reviewer('ann')
  beforeAll(async () => {
    database = await engine.open(migrations)
    await sql`create table wish (id int primary key, uid bigint not null, status text not null, decided_by text not null default '')`.execute(
      database.db,
    )
    await sql`insert into account (id, email, password_hash, nickname, head_portrait, signature, credit_score, level, status, lang, invite_code, demo,
      created_at) values (${uid}, 'a@mail.example', 'x', 'Ann', '', '', 100, 2, 'frozen', 'en', 'A', false, 1)`.execute(database.db)
    const standing = async () => ({ uid, status: 'frozen' }) as Standing
    const notices = {
      notify: async (_tx: unknown, to: number, { kind }: { kind: string }) => void news.push(`${to} ${kind}`),
      notifyAll: async () => {},
    }
    const office = officeOn(
      { database, clock: createSettableClock({ now: () => 1_000 }), proofs: { standing, lock: standing }, notices },
      () => changes++,
    )
    queue = wishes.open(office, database)
  })
  afterAll(() => database?.close())
  const wish = (id: number, status: Wish['status'] = 'reviewing') =>
    sql`insert into wish (id, uid, status) values (${id}, ${uid}, ${status})`.execute(database.db)
  const statusOf = async (id: number) => (await sql<Wish>`select * from wish where id = ${id}`.execute(database.db)).rows[0]!.status
  const logged = async (id: number) =>
    (await database.db.selectFrom('desk_audit').selectAll().where('subject', '=', `wish:${id}`).orderBy('id').execute()).map(
      ({ operator, action, detail, at }) => [operator, action, detail, at].join(' '),
    )
  const ids = ({ list }: { list: { id: number }[] }) => list.map(({ id }) => id)

  test('rows come with their customers, those that wait oldest first, with counts', async () => {
    for (const [id, status] of [
      [1, 'granted'],
      [2, 'reviewing'],
      [3, 'reviewing'],
      [4, 'refused'],
    ] as const)
      await wish(id, status)
    const page = { page: 1, size: 3 }
    expect(ids(await queue.list({ ...page, status: 'open' }, ann))).toEqual([2, 3])
    expect(ids(await queue.list({ ...page, status: 'reviewing' }, ann))).toEqual([2, 3])
    const all = await queue.list({ ...page, status: 'all', search: 'ann' }, ann)
    expect([ids(all), all.total]).toEqual([[4, 3, 2], 4])
    expect(all.list[0]).toEqual({
      id: 4,
      status: 'refused',
      decided_by: '',
      uid,
      nickname: 'Ann',
      contact: 'a***@mail.example',
      level: 2,
      demo: false,
      frozen: true,
    })
    expect(await queue.list({ ...page, status: 'all', search: 'nobody' }, ann)).toEqual({ list: [], total: 0 })
    expect(await queue.counts()).toEqual({ traders: 2 })
    await sql`delete from wish where id in (1, 4)`.execute(database.db)
  })

  test('one row is looked at, and that is written down', async () => {
    expect(await take(queue, 'office.trader', { id: 2 })).toMatchObject({ id: 2, nickname: 'Ann', earlier: 7 })
    expect(await logged(2)).toEqual(['ann identity.look  1000'])
    expect(await refused(queue.one(9, ann))).toBe('not_found id')
  })

  test('a step changes the row, writes its row of the log, and tells customers and back offices after the commit', async () => {
    await wish(10)
    expect(await take(queue, 'office.traderApprove', { id: 10, note: 'kind' })).toMatchObject({
      id: 10,
      status: 'granted',
      nickname: 'Ann',
    })
    expect([await statusOf(10), await logged(10), news, announced, changes]).toEqual([
      'granted',
      ['ann trader.approve kind 1000'],
      [`${uid} account_freed`],
      [`10 of ${uid}, and 5`],
      1,
    ])
    expect(await refused(take(queue, 'office.traderApprove', { id: 10 }))).toBe('state_wrong')
    expect(await refused(take(queue, 'office.traderApprove', { id: 99 }))).toBe('not_found id')
    expect([await logged(10), announced.length, changes]).toEqual([['ann trader.approve kind 1000'], 1, 1])
  })

  test('a work that throws leaves neither the change nor the row of the log', async () => {
    await wish(11)
    await expect(take(queue, 'office.traderApprove', { id: 11, note: 'fails' })).rejects.toThrow('after the change')
    expect([await statusOf(11), await logged(11)]).toEqual(['reviewing', []])
  })

  test('a reason is trimmed, and one of spaces is refused', async () => {
    await wish(12)
    expect(await refused(take(queue, 'office.traderReject', { id: 12, reason: '  ' }))).toBe('reason_missing reason')
    await take(queue, 'office.traderReject', { id: 12, reason: ' too late ' })
    expect(await logged(12)).toEqual(['ann trader.reject too late 1000'])
  })

  test('check D2 of the definition finds a decision whose row of the log is missing', async () => {
    const breaches = () => breachesOf(database.db, wishes.check)
    expect(await breaches()).toEqual([])
    await wish(13)
    await sql`update wish set status = 'refused', decided_by = 'eve' where id = 13`.execute(database.db)
    expect(await breaches()).toEqual(['wish:13 by eve: decided 1 times, 0 in the log'])
    await sql`delete from wish where id = 13`.execute(database.db)
    await sql`alter table desk_audit disable trigger user`.execute(database.db)
    await sql`delete from desk_audit where subject = 'wish:10'`.execute(database.db)
    expect(await breaches()).toEqual(['wish:10 by ann: decided 1 times, 0 in the log'])
  })
})
