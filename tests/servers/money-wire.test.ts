import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seedCurrencies } from '#api-server/currency/currency.store.ts'
import { seedParameters } from '#api-server/wallet/parameter.store.ts'
import { type CallName, contract } from '#contract/contract.ts'
import { write } from '#server-kit/db/db.ts'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { migratedUrl, sharedDatabases } from '#tests/support/databases/engines.ts'
import { faultOf, formOf, openPool, outcomeOf, type Pool, type TimedAnswer, wireOf } from '#tests/support/databases/pool.ts'
import { postgresMissing, type TestPostgres } from '#tests/support/databases/postgres.ts'
import { bearing, codeTo, dataOf, type Made, makeUser } from '#tests/support/people/accounts.ts'
import { startApi, type TestApi } from '#tests/support/servers/api.ts'

const missing = postgresMissing()
if (missing) console.error(`\n!!! money over the wire: NOT RUN: ${missing}\n`)
const payPassword = '246813579'

describe.skipIf(missing !== undefined)('concurrent money calls on PostgreSQL', () => {
  let databases: Pick<TestPostgres, 'freshUrl' | 'stop'>
  let api: TestApi
  let pool: Pool
  const dataDir = mkdtempSync(join(tmpdir(), 'tessera-wire-'))
  beforeAll(async () => {
    databases = sharedDatabases()
    api = await startApi({ place: { dataDir, databaseUrl: await databases.freshUrl(await migratedUrl()) }, env: { SEED: 'none' } })
    await seedCurrencies(api.database)
    await seedParameters(api.database)
    for (const [currency, rate] of Object.entries({ BTC: '50000', ETH: '2500' })) dataOf(await api.post('/test/rate', { currency, rate }))
    pool = openPool(api.origin, 50)
  })
  afterAll(async () => {
    pool?.close()
    await api?.close()
    await databases?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  async function customer() {
    const who = await makeUser(api, { level: '2', pay_password: payPassword })
    dataOf(await api.post('/test/credit', { user: String(who.uid), account: 'change', currency: 'USDT', amount: '1000' }))
    const row = { uid: who.uid, currency_id: 3, chain: 'ERC20', name: 'mine', usable_from: 0, created_at: 0 }
    const address = `0x${String(who.uid).padStart(40, 'a')}`
    const values = { ...row, address, folded: address, qrcode: address }
    const [made] = await write(1, api.database.db.insertInto('wallet_address').values(values).returning('id'))
    return { who, address_id: String(made!.id) }
  }
  const send = (call: CallName, who: Made, fields: Record<string, string>, key: string) =>
    pool.ask(wireOf(contract[call], formOf(Object.entries(fields)), bearing(who.token, { 'idempotency-key': key })))
  const all = { currency_id: '3', amount: '1000' }
  async function withdrawal({ who, address_id }: Awaited<ReturnType<typeof customer>>) {
    dataOf(await api.post('/api/ems/send', { event: 'withdraw' }, bearing(who.token)))
    return { ...all, address_id, pay_password: payPassword, code: await codeTo(api, who.username) }
  }
  const eventsOf = async ({ uid }: Made) => {
    const rows = await api.database.db.selectFrom('ledger_event').select('kind').where('uid', '=', uid).orderBy('id').execute()
    return rows.map(({ kind }) => kind).filter((kind) => kind !== 'credit')
  }
  const faults = (answers: TimedAnswer[]) => answers.flatMap((answer) => faultOf(answer) ?? [])

  test.each<[says: string, call: CallName, times: number, event: string, others: RegExp]>([
    ['moved to another account', 'wallet.transfer', 50, 'transfer', /^insufficient_balance$/],
    // The winner uses up the code, and guesses of a pay password are counted before they are checked.
    ['withdrawn', 'wallet.withdraw', 10, 'withdraw_request', /^(insufficient_balance|code_wrong|too_many_tries)$/],
  ])('a balance requested in full by many connections is %s once', async (_says, call, times, event, others) => {
    const one = await customer()
    const fields = call === 'wallet.withdraw' ? await withdrawal(one) : { ...all, from: 'change', to: 'lever' }
    const answers = await Promise.all(Array.from({ length: times }, () => send(call, one.who, fields, randomUUID())))
    expect(faults(answers)).toEqual([])
    const outcomes = answers.map(outcomeOf)
    expect(outcomes.filter((one) => one === 'ok')).toHaveLength(1)
    expect(outcomes.filter((one) => one !== 'ok' && !others.test(one))).toEqual([])
    expect(await eventsOf(one.who)).toEqual([event])
  })

  test.each<[call: CallName, event: string]>([
    ['wallet.transfer', 'transfer'],
    ['wallet.exchange', 'exchange'],
    ['wallet.withdraw', 'withdraw_request'],
  ])('%s from twenty connections with one key: one effect and byte-identical answers', async (call, event) => {
    const one = await customer()
    const pair = { from_currency_id: '3', to_currency_id: '1' }
    const quote = () => api.post('/api/wallet/getExchangeRate', pair, bearing(one.who.token))
    const fields =
      call === 'wallet.withdraw'
        ? await withdrawal(one)
        : call === 'wallet.transfer'
          ? { ...all, from: 'change', to: 'lever' }
          : { ...pair, amount: '1000', quote_id: dataOf<{ quote_id: string }>(await quote()).quote_id }
    const key = randomUUID()
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(call, one.who, fields, key)))
    expect(faults(answers)).toEqual([])
    expect([...new Set(answers.map(outcomeOf))]).toEqual(['ok'])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(await eventsOf(one.who)).toEqual([event])
  })

  test('after these tests the ledger agrees with the records', () => expectSoundMoney(api.database).then(() => undefined))
})
