import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createBackOfficeAuditStore } from '#api-server/back-office/audit.store.ts'
import { auditIn, auditLedger } from '#api-server/ledger/audit/audit.ts'
import { freeze } from '#api-server/ledger/ledger.ts'
import { migrations } from '#api-server/migrations.ts'
import { type Database, write } from '#server-kit/db/db.ts'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { coins, type LedgerStage, moved, stageLedger } from '#tests/support/databases/ledger-stage.ts'

const ann = 100_001
const { usdt } = coins
const rita = { id: 7, roles: [], fresh: true }
/** Texts that an operator may type. The hash chain covers them as JSON, written by the back office and by the audit. */
const logged: [detail: string, at: number][] = [
  ['', 1_700_000_000_000],
  ['"quoted" \\ and / </b>', 2],
  ['lines\n\r\tand \b\f\u0001\u001f\u007f signs', 3],
  ['é 漢字 ไทย \u2028 😀', 4],
]

onEngines('the audit', (engine) => {
  async function story(database: Database, stage: LedgerStage) {
    const { db } = database
    const about = {
      uid: ann,
      currency_id: usdt,
      channel: 'address',
      chain: 'TRC20',
      target: 'x',
      details: Buffer.from(''),
      images: '[]',
      created_at: 1,
    }
    const later = { reason: '', reference: '', approved_by: '', approved_by_id: null, changed_at: 1 }
    const funding = async (row: {
      type: 'recharge' | 'withdraw'
      amount: string
      status: 'reviewing' | 'credited'
      decided_by: string
    }) => {
      const values = { ...about, ...later, ...row, fee: '0', received: row.amount, usd: '1', btc: '0.1' }
      const [made] = await write(1, db.insertInto('funding').values(values).returning('id'))
      return made!.id
    }
    const step = (funding_id: number, status: 'reviewing' | 'credited', by: string) =>
      write(1, db.insertInto('funding_step').values({ funding_id, status, by, at: 1, note: '' }))
    const recharge = await funding({ type: 'recharge', amount: '100', status: 'credited', decided_by: 'rita' })
    await step(recharge, 'reviewing', 'customer')
    await step(recharge, 'credited', 'rita')
    await stage.post({
      kind: 'recharge',
      source: `recharge:${recharge}`,
      uid: ann,
      postings: [
        { account: { platform: 'external_in' }, currency: usdt, amount: '-100' },
        { account: { uid: ann, kind: 'change', part: 'available' }, currency: usdt, amount: '100' },
      ],
    })
    const withdraw = await funding({ type: 'withdraw', amount: '40', status: 'reviewing', decided_by: '' })
    await step(withdraw, 'reviewing', 'customer')
    await stage.post({ kind: 'withdraw_request', source: `withdraw:${withdraw}`, uid: ann, postings: freeze(ann, 'change', usdt, '40') })
    await stage.post({ kind: 'transfer', source: 'transfer:1', uid: ann, postings: moved(ann, '10', 'change', 'micro') })
    const log = createBackOfficeAuditStore(database)
    for (const [detail, at] of logged)
      await database.transaction((tx) =>
        log.append(tx, { ...rita, name: `rita${detail}` }, { action: 'recharge.approve', subject: `recharge:${recharge}`, detail }, at),
      )
  }

  test('a sound ledger passes the audit, and changes that bypass the triggers are found', async () => {
    const database = await engine.open(migrations)
    await story(database, await stageLedger(database))
    const sound = await expectSoundMoney(database, { decisions: true })
    expect(sound).toMatchObject({ events: 3, postings: 6, accounts: 4, backOffice: { rows: logged.length } })
    expect(sound.currencies).toMatchObject([{ code: 'USDT', cameIn: '100.000000000000000000', frozen: '40.000000000000000000' }])
    expect((await auditLedger(database)).hash).toBe(sound.hash)

    const change = sql`key = 'user:${sql.lit(ann)}:change:available'`
    const table: [string, ReturnType<typeof sql>[], breaks: string[]][] = [
      ['a balance', [sql`update ledger_account set balance = balance + 1 where ${change}`], ['I1', 'I9']],
      ['a line', [sql`update ledger_posting set amount = amount + 1 where seq = 1 and event_id = 1`], ['I1', 'I6', 'I9']],
      ['two lines that cancel each other', [sql`update ledger_posting set amount = amount * 2 where event_id = 3`], ['I9']],
      ['when it was', [sql`update ledger_event set at = at + 1 where id = 3`], ['I9']],
      ['what it was', [sql`update ledger_event set source = 'transfer:9' where id = 3`], ['I9']],
      ['whose it was', [sql`update ledger_event set uid = 7 where id = 3`], ['I9']],
      ['a missing event', [sql`delete from ledger_event where id = 3`], ['I9']],
      [
        'a missing event with its lines',
        [sql`delete from ledger_event where id = 3`, sql`delete from ledger_posting where event_id = 3`],
        ['I9'],
      ],
      ['a missing hold', [sql`update funding set status = 'cancelled' where type = 'withdraw'`], ['I3', 'I5', 'I6']],
      ['a hold of another amount', [sql`update funding set amount = 41, received = 41 where type = 'withdraw'`], ['I3', 'I6']],
      ['a deposit without a review', [sql`update funding set decided_by = '' where type = 'recharge'`], ['I10']],
      ['a credited deposit in review again', [sql`update funding set status = 'reviewing' where type = 'recharge'`], ['I5', 'I6', 'I10']],
      ['a deposit of another amount', [sql`update funding set amount = 99, received = 99 where type = 'recharge'`], ['I6']],
      [
        'a change of state that is not permitted',
        [sql`insert into funding_step (funding_id, at, status, by, note) select id, 2, status, 'x', '' from funding`],
        ['I5', 'D2'],
      ],
      ['a changed text in the log of the back office', [sql`update desk_audit set detail = 'x' where id = 2`], ['D1']],
      ['a changed operator in the log of the back office', [sql`update desk_audit set operator_id = 8 where id = 4`], ['D1']],
      ['the first row of the log is missing', [sql`delete from desk_audit where id = 1`], ['D1', 'D2']],
      ['the whole log is missing', [sql`delete from desk_audit`], ['D2']],
      [
        'an invented row at the end of the log',
        [sql`insert into desk_audit select id + 1, at, operator_id, operator, action, subject, detail, chain from desk_audit where id = 4`],
        ['D1'],
      ],
    ]
    for (const [name, meddle, breaks] of table) {
      const undone = new Error('undone')
      const found: string[] = []
      await database
        .transaction(async (tx) => {
          for (const trigger of ['ledger_event', 'ledger_posting', 'desk_audit', 'funding', 'funding_step'])
            await sql`alter table ${sql.table(trigger)} disable trigger user`.execute(tx)
          for (const statement of meddle) await statement.execute(tx)
          const { checks } = await auditIn(tx, { decisions: true })
          found.push(...new Set(checks.filter((check) => check.breaches.length).map((check) => check.name)))
          throw undone
        })
        .catch((error: unknown) => {
          if (error !== undone) throw error
        })
      expect(found, name).toEqual(breaks)
    }
    expect((await expectSoundMoney(database)).hash).toBe(sound.hash)

    const attempts = [
      sql`update funding_step set by = 'somebody'`,
      sql`delete from funding_step`,
      sql`truncate funding_step`,
      sql`update ledger_posting set amount = 1`,
    ]
    for (const attempt of attempts) await expect(attempt.execute(database.db)).rejects.toThrow('only added to')
  })
})
