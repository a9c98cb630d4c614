import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { officeMigrations } from '#api-server/kit/office.migration.ts'
import { migrations } from '#api-server/migrations.ts'
import { configMigrations } from '#config-server/migrations.ts'
import { type Database, write, writeAny } from '#server-kit/db/db.ts'
import { openDatabase } from '#server-kit/db/open-database.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { onEngines } from '#tests/support/databases/engines.ts'

const replacedIn = (list: typeof migrations) => list.flatMap(({ replaces = [] }) => replaces)
/** Steps that the build b78e0c11 did not have, or had in parts. */
const since = migrations.filter((step) => step.replaces?.length || 'guards' in step).map(({ id }) => id)

onEngines('migrations', (engine) => {
  test('a database of the build b78e0c11 is taken over and gets the triggers of this one; of an earlier one it is refused', async () => {
    expect([replacedIn(migrations).length, replacedIn(configMigrations).length]).toEqual([53, 7])
    const place = await engine.place('migrated')
    const open = () => openDatabase({ ...place, log: createLog('silent'), onFatal: () => {}, migrations })
    const applied = async ({ db }: Database) => (await db.selectFrom('migration').select('id').execute()).map(({ id }) => id).sort()
    const functions = async ({ db }: Database) => {
      const { rows } = await sql<{ made: string }>`select pg_get_functiondef(oid) as made from pg_proc
        where proname ~ '_(moves|keep)$' order by 1`.execute(db)
      return rows.map(({ made }) => made)
    }
    /** Gives it the list of steps that the earlier build had, without the given one. */
    const goBack = async ({ db }: Database, without?: string) => {
      await writeAny(db.deleteFrom('migration').where('id', 'in', since))
      const ids = replacedIn(migrations).filter((id) => id !== without)
      await write(ids.length, db.insertInto('migration').values(ids.map((id) => ({ id, applied_at: 1 }))))
    }

    const before = await open()
    const [made, ids] = [await functions(before), await applied(before)]
    expect(made.length).toBeGreaterThan(10)
    // Triggers that it had and this build has not, or has in another form.
    for (const statement of [
      'drop function verification_moves() cascade',
      `create function verification_keep() returns trigger language plpgsql as $$ begin raise exception 'decided'; end $$`,
      'create trigger verification_gone before delete on verification for each row execute function verification_keep()',
      'create or replace function spot_order_moves() returns trigger language plpgsql as $$ begin return new; end $$',
    ])
      await sql.raw(statement).execute(before.db)
    await goBack(before)
    await before.close()

    const taken = await open()
    expect(await applied(taken)).toEqual(ids)
    expect(await functions(taken)).toEqual(made)
    await goBack(taken, 'otc-1')
    await taken.close()
    await expect(open()).rejects.toThrow(/earlier build: open it once with the build of commit b78e0c11/)
  })

  test('parameters of the wallet become terms with the values that they had', async () => {
    const database = await openDatabase({ ...(await engine.place('migrated')), log: createLog('silent'), onFatal: () => {}, migrations })
    const rows = await database.transaction(async (tx) => {
      for (const statement of [
        'create table wallet_setting (name text, value numeric)',
        "insert into wallet_setting values ('exchange_spread', 0.00300), ('exchange_tolerance', 0.005)",
        'create table wallet_level (level int, limit_btc numeric, order_limit_usd numeric)',
        'insert into wallet_level values (5, 200.50, 0)',
        'create table wallet_coin (currency_id int, exchange boolean, exchange_min numeric)',
        `create table wallet_route (currency_id int, route text, position int, address_kind text, recharge boolean, recharge_min numeric,
          withdraw boolean, withdraw_min numeric, fee numeric, fee_rate numeric)`,
        "insert into currency select 1, 'USDT', 'Tether', 8, 1, null, 1 where not exists (select from currency)",
        'insert into wallet_coin select min(id), true, 1.0 from currency',
        "insert into wallet_route select min(id), 'bank', 4, null, false, 0, true, 50, 2, 0.0020 from currency",
        'alter table terms disable trigger user',
        'delete from terms',
      ])
        await sql.raw(statement).execute(tx)
      await migrations.find(({ id }) => id === 'office-4')!.up(tx)
      return tx.selectFrom('terms').select(['product', 'key', 'version', 'terms']).orderBy('product').execute()
    })
    const [{ code }] = (await database.db.selectFrom('currency').select('code').orderBy('id').execute()) as [{ code: string }]
    const amounts = { recharge_min: '0', withdraw_min: '50', fee: '2', fee_rate: '0.002' }
    const route = { currency: code, route: 'bank', list_place: 1, address_kind: 'bank', recharge: 'closed', withdraw: 'open', ...amounts }
    expect(rows.map(({ product, key, version, terms }) => [`${product} ${key} ${version}`, terms])).toEqual([
      [`coin ${code} 1`, { exchange: 'open', exchange_min: '1' }],
      ['exchange wallet 1', { spread: '0.003', tolerance: '0.005' }],
      ['level 5 1', { limit_btc: '200.5', order_limit_usd: '0' }],
      [`route ${code}_bank 1`, route],
    ])
    await database.close()
  })

  test('accounts that an operator has asked to freeze become proposals', async () => {
    const place = await engine.place('migrated')
    const database = await openDatabase({ ...place, log: createLog('silent'), onFatal: () => {}, migrations })
    const rows = await database.transaction(async (tx) => {
      for (const statement of [
        "alter table account add column freeze_asked_by bigint, add column freeze_asked_name text not null default ''",
        `insert into account (id, email, password_hash, nickname, lang, invite_code, created_at, freeze_asked_by, freeze_asked_name)
          values (7, 'a@x.example', '', 'A', 'en', 'A', 1, 5, 'ann'), (8, 'b@x.example', '', 'B', 'en', 'B', 1, null, '')`,
      ])
        await sql.raw(statement).execute(tx)
      await migrations.find(({ id }) => id === 'office-3')!.up(tx)
      return tx.selectFrom('office_proposal').select(['kind', 'subject', 'after', 'operator_id', 'operator', 'state']).execute()
    })
    expect(rows).toEqual([{ kind: 'freeze', subject: '7', after: null, operator_id: 5, operator: 'ann', state: 'open' }])
    await database.close()
  })

  test('terms, proposals and offers of a build before the kit move to its tables, and keep who decided when', async () => {
    const place = await engine.place('empty')
    const open = (steps: typeof migrations) => openDatabase({ ...place, log: createLog('silent'), onFatal: () => {}, migrations: steps })
    const [contract, hours] = [{ fee_rate: '0.0005' }, { zone: 'Europe/Paris' }]
    const before = await open(migrations.filter((step) => !officeMigrations.includes(step)))
    for (const statement of [
      `insert into currency values (1, 'USDT', 'Tether', 8, 1, null, 1), (2, 'BTC', 'Bitcoin', 8, 1, null, 2)`,
      `insert into trading_terms values ('contract', 'BTCUSDT', 1, '${JSON.stringify(contract)}', '', 10),
        ('contract', 'BTCUSDT', 2, '{"fee_rate":"0.0007"}', 'ann, bob', 20)`,
      `insert into trading_calendar ("group", calendar, changed_by, at, version) values ('stock', '${JSON.stringify(hours)}', 'ann, bob', 5, 1)`,
      `insert into trading_proposal (product, symbol, version, terms, operator_id, operator, at, state, decided_by, decided_at, "group") values
        ('contract', 'BTCUSDT', 1, '{"fee_rate":"0.0007"}', 1, 'ann', 15, 'agreed', 'bob', 20, null),
        ('contract', 'BTCUSDT', 2, '{"fee_rate":"0.0009"}', 1, 'ann', 30, 'open', '', null, null),
        (null, null, 1, '{"zone":"UTC"}', 2, 'bob', 31, 'open', '', null, 'stock')`,
      `update desk_setting set value = '500', changed_by = 'ann', changed_at = 40`,
      `insert into desk_proposal (name, from_value, to_value, operator_id, operator, at, state, decided_by, decided_at) values
        ('four_eyes_usd', '500', '900', 1, 'ann', 41, 'refused', 'bob', 42), ('four_eyes_usd', '500', '800', 1, 'ann', 43, 'open', '', null)`,
      `insert into otc_offer (side, currency_id, quote_id, price, amount_min, amount_max, whole, status, replaces, proposed_by_id, proposed_by, decided_by,
        closed_by, created_at, changed_at) values ('buy', 2, 1, 60000, 0.1, 1, 5, 'open', null, 1, 'ann', 'bob', '', 50, 51),
        ('buy', 2, 1, 61000.50, 0.1, 1, 5, 'proposed', 1, 2, 'bob', '', '', 52, 52), ('sell', 2, 1, 59000, 0.1, 1, 5, 'closed', null, 1, 'ann', 'bob', 'eve', 53, 55)`,
    ])
      await sql.raw(statement).execute(before.db)
    await before.close()

    const moved = await open(migrations)
    const terms = await moved.db.selectFrom('terms').selectAll().where('product', 'in', ['contract', 'settings']).orderBy('at').execute()
    expect(terms).toEqual([
      { product: 'contract', key: 'BTCUSDT', version: 1, terms: contract, changed_by: '', at: 10 },
      { product: 'contract', key: 'BTCUSDT', version: 2, terms: { fee_rate: '0.0007' }, changed_by: 'ann, bob', at: 20 },
      { product: 'settings', key: 'four_eyes_usd', version: 1, terms: { four_eyes_usd: '500' }, changed_by: 'ann', at: 40 },
    ])
    const proposals = await moved.db.selectFrom('office_proposal').selectAll().orderBy('at').execute()
    expect(
      proposals.map((row) => `${row.kind} ${row.subject} v${row.version} ${row.operator} ${row.state} ${row.decided_by} ${row.decided_at}`),
    ).toEqual([
      'contract BTCUSDT v1 ann agreed bob 20',
      'contract BTCUSDT v2 ann open  null',
      'hours stock v1 bob open  null',
      'settings four_eyes_usd v1 ann refused bob 42',
      'settings four_eyes_usd v1 ann open  null',
      'offer 1 v1 ann agreed bob 51',
      'offer 2 v1 bob open  null',
      'offer 3 v1 ann agreed bob 55',
    ])
    const [first, second, calendar, , rule, , offer] = proposals
    expect([first!.before, first!.after]).toEqual([contract, { fee_rate: '0.0007' }])
    expect(second!.before).toEqual({ fee_rate: '0.0007' })
    expect([calendar!.before, calendar!.after]).toEqual([hours, { zone: 'UTC' }])
    expect([rule!.before, rule!.after]).toEqual([{ four_eyes_usd: '500' }, { four_eyes_usd: '800' }])
    expect(offer!.after).toEqual({ price: '61000.5', amount_min: '0.1', amount_max: '1', whole: '5', from: null, until: null, replaces: 1 })
    const old = ['trading_terms', 'trading_proposal', 'desk_setting', 'desk_proposal']
    for (const table of old) await expect(sql`select from ${sql.table(table)}`.execute(moved.db)).rejects.toThrow(/does not exist/)
    await moved.close()
  })
})
