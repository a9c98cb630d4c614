import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { freeze, type LedgerEvent, release } from '#api-server/ledger/ledger.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Database, Tx } from '#server-kit/db/db.ts'
import { onBothEngines } from '#tests/support/databases/engines.ts'
import { coins, type LedgerStage, mine, moneyMigrations, moved, stageLedger } from '#tests/support/databases/ledger-stage.ts'
import { waitingFor } from '#tests/support/databases/lever-stage.ts'

const { btc, usdt, xrp } = coins

/** All rows that a refusal must leave unchanged. */
async function everything({ db }: Database): Promise<unknown> {
  const of = (table: 'ledger_event' | 'ledger_posting' | 'ledger_account') => db.selectFrom(table).selectAll().orderBy(sql`1, 2`).execute()
  return [await of('ledger_event'), await of('ledger_posting'), await of('ledger_account')]
}

onBothEngines('the ledger', (engine) => {
  let shared: Promise<LedgerStage & { database: Database }> | undefined
  let customers = 100_000
  /** One database for all tests, and two new customers for each test. */
  const stage = async () => {
    shared ??= engine.open(moneyMigrations).then(async (database) => ({ database, ...(await stageLedger(database)) }))
    return { ...(await shared), ann: ++customers, bob: ++customers }
  }

  test('balances are the exact sums of the lines', async () => {
    const { credit, post, reads, ann, bob } = await stage()
    await credit(ann, '0.1')
    await credit(ann, '0.2')
    await credit(ann, '99999999999.99999999', btc)
    expect(await reads.balance(ann, 'change', usdt)).toEqual({
      kind: 'change',
      currency: usdt,
      available: '0.300000000000000000',
      frozen: '0',
    })
    await post({ kind: 'withdraw_request', source: `withdraw:${ann}`, uid: ann, postings: freeze(ann, 'change', usdt, '0.25') })
    await post({ kind: 'transfer', source: `transfer:${ann}`, uid: ann, postings: moved(ann, '0.05', 'change', 'lever') })
    await post({ kind: 'withdraw_cancel', source: `withdraw:${ann}`, uid: ann, postings: release(ann, 'change', usdt, '0.25') })
    const held = await reads.balances(ann)
    const of = (kind: string, currency: number) => held.find((one) => one.kind === kind && one.currency === currency)
    expect(of('change', usdt)).toMatchObject({ available: '0.250000000000000000', frozen: '0.000000000000000000' })
    expect(of('lever', usdt)).toMatchObject({ available: '0.050000000000000000', frozen: '0' })
    expect(of('change', btc)?.available).toBe('99999999999.999999990000000000')
    expect(await reads.balances(bob)).toEqual([])
  })

  test('several events in one statement are those events one after the other, and all of them or none', async () => {
    const { database, ledger, credit, reads, ann, bob } = await stage()
    await credit(ann, '10')
    await credit(bob, '1')
    const order = (uid: number, n: number, amount: string, key?: LedgerEvent['key']): LedgerEvent => ({
      kind: 'spot_order',
      source: `spot:${uid}:${n}`,
      uid,
      at: 1_000,
      key,
      postings: freeze(uid, 'change', usdt, amount),
    })
    const named = { owner: `user:${ann}`, key: 'one of them' }
    const events = [order(ann, 1, '4', named), order(bob, 1, '1'), order(ann, 2, '6')]
    const ids = await database.transaction((tx) => ledger.postAll(tx, events))
    expect(ids).toEqual([...ids].sort((a, b) => a - b))
    const rows = await database.db.selectFrom('ledger_event').selectAll().where('id', 'in', ids).orderBy('id').execute()
    expect(rows.map(({ source, key_owner, key }) => [source, key_owner, key])).toEqual([
      [`spot:${ann}:1`, named.owner, named.key],
      [`spot:${bob}:1`, null, null],
      [`spot:${ann}:2`, null, null],
    ])
    const { rows: available } = await sql<{ event_id: number; balance: string }>`select p.event_id, trim_scale(p.balance)::text as balance
      from ledger_posting p join ledger_account a on a.id = p.account_id
      where p.event_id = any(${ids}::bigint[]) and a.part = 'available' order by p.event_id`.execute(database.db)
    expect(available.map(({ balance }) => balance)).toEqual(['6', '0', '0'])
    expect((await reads.balance(ann, 'change', usdt)).frozen).toBe('10.000000000000000000')

    await credit(ann, '5')
    const before = await everything(database)
    const tooMuch = [order(ann, 3, '3'), order(ann, 4, '3')]
    await expect(database.transaction((tx) => ledger.postAll(tx, tooMuch))).rejects.toMatchObject({ code: 'insufficient_balance' })
    expect(await everything(database)).toEqual(before)
    // No balance is below zero between two events either.
    const back = (uid: number, n: number, amount: string): LedgerEvent => ({
      kind: 'spot_release',
      source: `spot:${uid}:${n}`,
      uid,
      at: 1_000,
      postings: release(uid, 'change', usdt, amount),
    })
    const early = database.transaction((tx) => ledger.postAll(tx, [order(ann, 5, '6'), back(ann, 5, '6')]))
    await expect(early).rejects.toMatchObject({ code: 'insufficient_balance' })
    const twice = database.transaction((tx) => ledger.postAll(tx, [back(ann, 6, '11'), order(ann, 6, '11')]))
    await expect(twice).rejects.toMatchObject({ constraint: 'ledger_account_held' })
    expect(await everything(database)).toEqual(before)
  })

  test('a refusal changes nothing and names the side at fault', async () => {
    const { database, credit, post, ann, bob } = await stage()
    await credit(ann, '1')
    await post({ kind: 'withdraw_request', source: `withdraw:${ann}`, uid: ann, postings: freeze(ann, 'change', usdt, '0.4') })
    await post({
      kind: 'transfer',
      source: `margin:${ann}`,
      uid: ann,
      postings: [mine(ann, '-0.1'), { account: { position: 1 }, currency: usdt, amount: '0.1' }],
    })
    const before = await everything(database)
    const event = (postings: LedgerEvent['postings'], more: Partial<LedgerEvent> = {}): Omit<LedgerEvent, 'at'> => ({
      kind: 'transfer',
      source: 'transfer:9',
      uid: ann,
      postings,
      ...more,
    })
    const fee = (amount: string, currency: number = usdt) => ({ account: { platform: 'fee' as const }, currency, amount })
    const huge = { account: { platform: 'pnl_option' as const }, currency: usdt, amount: '-99999999999999999999' }
    const table: [string, Omit<LedgerEvent, 'at'>, 'problem' | 'fault'][] = [
      ['slightly more than the balance', event([mine(ann, '-0.50000001'), fee('0.50000001')]), 'problem'],
      ['a currency that the customer never had', event([mine(ann, '-1', btc), fee('1', btc)]), 'problem'],
      ['a customer without any balance', event([mine(bob, '-1'), mine(ann, '1')]), 'problem'],
      ['in the last of many lines', event([...moved(ann, '0.5', 'change', 'legal'), mine(ann, '-1', btc), fee('1', btc)]), 'problem'],
      ['a release of more than is frozen', event(release(ann, 'change', usdt, '0.5')), 'fault'],
      ['more than a position has', event([{ account: { position: 1 }, currency: usdt, amount: '-0.2' }, mine(ann, '0.2')]), 'fault'],
      ['more decimals than the currency has', event([mine(ann, '-0.000000001'), fee('0.000000001')]), 'fault'],
      ['an unknown currency', event([fee('-1', 99), mine(ann, '1', 99)]), 'fault'],
      ['lines that do not sum to zero', event([mine(ann, '-0.5'), fee('0.4')]), 'fault'],
      ['an event that has already happened', event(moved(ann, '0.1', 'change', 'legal'), { source: `margin:${ann}` }), 'fault'],
      [
        'more digits than a column holds',
        event([mine(ann, '-0.1'), fee('0.1'), fee('99999999999999999999'), fee('99999999999999999999'), huge, huge]),
        'fault',
      ],
    ]
    for (const [name, one, whose] of table) {
      const error = await post(one).then(
        () => 'posted',
        (cause: unknown) => cause,
      )
      expect(error, name).toBeInstanceOf(Error)
      expect(error instanceof ApiProblem ? error.code : 'fault', name).toBe(whose === 'problem' ? 'insufficient_balance' : 'fault')
    }
    expect(await everything(database)).toEqual(before)
  })

  test('the database refuses writes that bypass the ledger', async () => {
    const { database, credit, ann } = await stage()
    await credit(ann, '1', xrp)
    const before = await everything(database)
    const past = [
      sql`update ledger_posting set amount = amount + 1`,
      sql`delete from ledger_posting`,
      sql`truncate ledger_posting`,
      sql`update ledger_event set source = 'other'`,
      sql`delete from ledger_event`,
      sql`truncate ledger_event`,
      sql`delete from ledger_account`,
      sql`truncate ledger_account`,
      sql`update ledger_account set balance = 'NaN'`,
      sql`update ledger_account set balance = 'Infinity'`,
      sql`update ledger_account set balance = -1 where uid is not null`,
      sql`insert into ledger_posting select event_id, 9, account_id, 9, uid, 'NaN', balance, at, hash from ledger_posting`,
      sql`insert into ledger_posting select event_id, 9, account_id, seq, uid, amount, balance, at, hash from ledger_posting`,
    ]
    for (const statement of past) await expect(statement.execute(database.db), statement.compile(database.db).sql).rejects.toThrow()
    expect(await everything(database)).toEqual(before)
  })

  test('the statement has each line once, newest first, with every filter', async () => {
    const { credit, post, reads, ann, bob } = await stage()
    for (let n = 1; n <= 5; n++) await credit(ann, String(n), usdt, 'change', n * 1_000)
    await credit(ann, '7', btc, 'change', 2_500)
    await post({ kind: 'transfer', source: `transfer:${ann}`, uid: ann, at: 9_000, postings: moved(ann, '1.5', 'change', 'legal') })
    await credit(bob, '1', usdt, 'change', 9_500)
    const ask = async (filter: Parameters<typeof reads.statement>[1], offset = 0, size = 50) => {
      const { rows, total } = await reads.statement(ann, filter, { offset, size })
      return [rows.map((row) => Number(row.amount)), total]
    }
    expect(await ask({})).toEqual([[1.5, -1.5, 5, 4, 3, 7, 2, 1], 8])
    expect(await ask({}, 2, 3)).toEqual([[5, 4, 3], 8])
    expect(await ask({}, 8)).toEqual([[], 8])
    expect(await ask({ currency: btc })).toEqual([[7], 1])
    expect(await ask({ account: 'legal' })).toEqual([[1.5], 1])
    expect(await ask({ kind: 'transfer' })).toEqual([[1.5, -1.5], 2])
    expect(await ask({ from: 2_000, to: 4_000 })).toEqual([[3, 7, 2], 3])
    expect(await ask({ currency: btc, kind: 'transfer' })).toEqual([[], 0])
    const { rows } = await reads.statement(ann, { kind: 'transfer', account: 'change' }, { offset: 0, size: 1 })
    expect(rows[0]).toMatchObject({
      time: 9_000,
      kind: 'transfer',
      account: 'change',
      part: 'available',
      currency: usdt,
      source: `transfer:${ann}`,
    })
    expect(rows[0]?.balance).toBe('13.500000000000000000')
    const ids = (await reads.statement(ann, {}, { offset: 0, size: 50 })).rows.map((row) => row.id)
    expect(new Set(ids).size).toBe(8)
  })

  test.runIf(engine.name === 'postgres')('a locked balance cannot be changed by another transaction', async () => {
    const { database, credit, reads, ledger, ann } = await stage()
    await credit(ann, '100')
    let spent = 0
    const spend = (n: number) =>
      database.transaction(async (tx) => {
        const { available } = await reads.locked(tx, ann, 'change', usdt)
        if (Number(available) < 60) return
        await ledger.post(tx, {
          kind: 'transfer',
          source: `spend:${ann}:${n}`,
          uid: ann,
          at: 1,
          postings: moved(ann, '60', 'change', 'legal'),
        })
        spent++
      })
    await Promise.all([1, 2, 3, 4, 5, 6].map(spend))
    expect(spent).toBe(1)
  })

  test.runIf(engine.name === 'postgres')('accounts that do not exist yet are locked in order too', async () => {
    const { database, credit, reads, ledger } = await stage()
    const exchange = (uid: number, source: string): LedgerEvent => ({
      kind: 'exchange',
      source,
      uid,
      at: 1,
      postings: [
        ...[mine(uid, '-60'), { account: { platform: 'convert' }, currency: usdt, amount: '60' } as const],
        ...[mine(uid, '1', btc), { account: { platform: 'convert' }, currency: btc, amount: '-1' } as const],
      ],
    })
    const both = (uid: number) => [btc, usdt].map((currency) => ({ uid, currency }))
    const ways = {
      posts: async (tx: Tx, uid: number, source: string) => void (await ledger.post(tx, exchange(uid, source))),
      async locks(tx: Tx, uid: number, source: string) {
        await reads.lockedAll(tx, both(uid), 'change')
        await ledger.post(tx, exchange(uid, source))
      },
      async 'posts one after the other'(tx: Tx, uid: number, source: string) {
        await ledger.post(tx, {
          kind: 'credit',
          source: `${source} first`,
          uid,
          at: 1,
          postings: [{ account: { platform: 'external_in' }, currency: btc, amount: '-1' }, mine(uid, '1', btc)],
        })
        await ledger.post(tx, exchange(uid, source))
      },
    }
    const names = Object.keys(ways) as (keyof typeof ways)[]
    for (const [first, second] of names.flatMap((one) => names.map((other) => [one, other] as const))) {
      const uid = ++customers
      await credit(uid, '200')
      const works: string[] = []
      const run = (name: keyof typeof ways, source: string) =>
        database.transaction(async (tx) => {
          works.push(source)
          await ways[name](tx, uid, source)
        })
      let [isHeld, letGo] = [() => {}, () => {}]
      const holds = new Promise<void>((done) => (isHeld = done))
      const over = new Promise<void>((done) => (letGo = done))
      const held = database.transaction(async (tx) => {
        await reads.locked(tx, uid, 'change', usdt)
        isHeld()
        await over
      })
      await holds
      const one = run(first, `${first}:${uid}:one`)
      await waitingFor(database, 1)
      const two = run(second, `${second}:${uid}:two`)
      await waitingFor(database, 2)
      letGo()
      await Promise.all([held, one, two])
      // A transaction that ends in a deadlock is done again.
      expect(works).toEqual([`${first}:${uid}:one`, `${second}:${uid}:two`])
      expect((await reads.balance(uid, 'change', usdt)).available).toBe('80.000000000000000000')
    }
  })
})
