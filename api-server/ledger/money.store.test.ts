import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { ApiProblem } from '#contract/problem.ts'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { onBothEngines } from '#tests/support/engines.ts'
import { sized } from '#tests/support/sizes.ts'
import { openWalletStage, proofsOf, type WalletStage } from '#tests/support/wallet-stage.ts'

const clients = 64
const opsPerRun = 1_000
const runs = sized(3, 500)
/** How often each call is sent twenty times at once with one key. */
const twenties = sized(5, 100)

/** What may come of a call when many do what they like; anything else is a fault. */
const refusals = new Set([
  ...['insufficient_balance', 'state_wrong', 'quote_expired', 'amount_too_small', 'withdraw_limit', 'order_limit', 'too_many_open'],
  ...['own_decision', 'price_stale', 'not_found'],
])
const amounts = ['0.00000001', '0.1', '1', '12.34567891', '50', '250', '5000']
const kinds = ['legal', 'change', 'lever', 'micro'] as const
const codes = ['USDT', 'BTC', 'ETH'] as const
const doings = ['transfer', 'Transfer', 'exchange', 'withdraw', 'recharge', 'cancel', 'approve', 'reject', 'sent', 'done'] as const

const operation = fc.record({
  doing: fc.constantFrom(...doings),
  who: fc.nat(5),
  from: fc.constantFrom(...kinds),
  to: fc.constantFrom(...kinds),
  code: fc.constantFrom(...codes),
  other: fc.constantFrom(...codes),
  amount: fc.constantFrom(...amounts),
  /** How often it is sent with its key, at once. */
  times: fc.constantFrom<number[]>(1, 1, 1, 2, 3),
  which: fc.nat(30),
})
type Operation = typeof operation extends fc.Arbitrary<infer O> ? O : never

onBothEngines('money of many at once', (engine) => {
  let stage: WalletStage
  let people: { uid: number; address_id: string }[] = []
  beforeAll(async () => {
    stage = await openWalletStage(engine)
    people = []
    for (let n = 0; n < 6; n++) {
      const uid = await stage.user()
      for (const code of codes) await stage.credit(uid, code, '100')
      people.push({ uid, address_id: await stage.address(uid) })
    }
  })

  const fundingIds = async (type: 'recharge' | 'withdraw') =>
    (await stage.database.db.selectFrom('funding').select('id').where('type', '=', type).orderBy('id').execute()).map((row) => row.id)

  /** The fields of a call; undefined for one that there is nothing for. */
  async function ready(op: Operation): Promise<((key: string) => Promise<unknown>) | undefined> {
    const { uid, address_id } = people[op.who]!
    const { amount, from, to, code, other } = op
    const currency_id = String(stage.idOf(code))
    if (op.doing === 'transfer') return (key) => stage.call('wallet.transfer', uid, { amount, currency_id, from, to }, key)
    if (op.doing === 'Transfer') return (key) => stage.call('user.Transfer', uid, { number: amount, currency_id, from, to }, key)
    if (op.doing === 'exchange') {
      const pair = { from_currency_id: currency_id, to_currency_id: String(stage.idOf(other)) }
      const { quote_id } = await stage.call('wallet.getExchangeRate', uid, pair)
      return (key) => stage.call('wallet.exchange', uid, { amount, quote_id, ...pair }, key)
    }
    if (op.doing === 'withdraw') {
      const fields = { currency_id: String(stage.idOf('USDT')), amount, address_id, ...proofsOf }
      return (key) => stage.call('wallet.withdraw', uid, fields, key)
    }
    if (op.doing === 'recharge') {
      const currency_id = String(stage.idOf('USDT'))
      const { address } = await stage.call('wallet.getInAddress', uid, { currency_id, chain: 'ERC20' })
      const fields = { currency_id, amount, chain: 'ERC20', address, imgs: `/api/upload/${uid}-${randomUUID()}` }
      return (key) => stage.call('wallet.recharge', uid, fields, key)
    }
    const type = op.doing === 'sent' || op.doing === 'done' || op.which % 2 ? 'withdraw' : 'recharge'
    const ids = await fundingIds(op.doing === 'cancel' ? 'withdraw' : type)
    const id = ids[ids.length - 1 - (op.which % Math.max(1, ids.length))]
    if (id === undefined) return undefined
    if (op.doing === 'cancel') return (key) => stage.call('wallet.cancelWithdraw', uid, { id: String(id) }, key)
    const operator = { id: 1 + (op.which % 2), name: `operator ${op.which % 2}` }
    const decision = {
      approve: { action: 'approve', fourEyesUsd: '10000' },
      reject: { action: 'reject', reason: 'x' },
      sent: { action: 'sent', reference: 'x' },
      done: { action: 'done' },
    } as const
    const chosen = decision[op.doing]
    return () => stage.decide(type, id, chosen, operator)
  }

  async function perform(op: Operation): Promise<string[]> {
    if (op.from === op.to || op.code === op.other) return []
    try {
      const call = await ready(op)
      if (!call) return []
      const key = randomUUID()
      const times = ['approve', 'reject', 'sent', 'done'].includes(op.doing) ? 1 : op.times
      const answers = await Promise.all(Array.from({ length: times }, () => call(key)))
      return new Set(answers.map((answer) => JSON.stringify(answer))).size === 1 ? [] : [`${op.doing}: one key, several answers`]
    } catch (error) {
      if (error instanceof ApiProblem && refusals.has(error.code)) return []
      return [`${op.doing}: ${error instanceof ApiProblem ? error.code : String(error)}`]
    }
  }

  test('whatever many customers and operators do at once, nothing appears and nothing is lost', {
    timeout: sized(120_000, 3_600_000),
  }, async () => {
    const property = fc.asyncProperty(fc.array(operation, { minLength: opsPerRun, maxLength: opsPerRun }), async (ops) => {
      const queue = [...ops]
      const wrong: string[] = []
      const client = async () => {
        for (let op = queue.pop(); op; op = queue.pop()) wrong.push(...(await perform(op)))
      }
      await Promise.all(Array.from({ length: clients }, client))
      expect(wrong).toEqual([])
      const { currencies } = await expectSoundMoney(stage.database)
      expect(currencies.length).toBeGreaterThanOrEqual(codes.length)
    })
    // What was done cannot be done again from the start, so a failure is told as it came.
    const told = await fc.check(property, { numRuns: runs, endOnFailure: true })
    if (told.failed) throw new Error(`with the seed ${told.seed}`, { cause: told.errorInstance })
    const { rows } = await sql<{ kind: string }>`select distinct kind from ledger_event`.execute(stage.database.db)
    const seen = rows.map((row) => row.kind)
    expect(seen).toEqual(expect.arrayContaining(['transfer', 'exchange', 'withdraw_request', 'recharge']))
  })

  test('twenty at once with one key: one effect and equal answers, for every call that moves money', {
    timeout: sized(120_000, 3_600_000),
  }, async () => {
    const uid = await stage.user()
    const address_id = await stage.address(uid)
    for (const code of codes) await stage.credit(uid, code, String(1000 * twenties))
    const base = {
      who: people.length,
      from: 'change',
      to: 'lever',
      code: 'USDT',
      other: 'BTC',
      amount: '250',
      times: 20,
      which: 0,
    } as const
    people.push({ uid, address_id })
    const events = async () =>
      Number((await sql<{ n: number }>`select count(*) as n from ledger_event`.execute(stage.database.db)).rows[0]?.n)
    const records = async () => (await fundingIds('recharge')).length
    const table: [Operation['doing'], effects: number][] = [
      ['transfer', 1],
      ['Transfer', 1],
      ['exchange', 1],
      ['withdraw', 1],
      ['cancel', 1],
      ['recharge', 0],
    ]
    for (const [doing, effects] of Array.from({ length: twenties }, () => table).flat()) {
      const before = [await events(), await records()] as const
      const call = await ready({ ...base, doing })
      const key = randomUUID()
      const answers = await Promise.all(Array.from({ length: base.times }, () => call!(key)))
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size, doing).toBe(1)
      expect((await events()) - before[0], doing).toBe(effects)
      expect((await records()) - before[1], doing).toBe(doing === 'recharge' ? 1 : 0)
    }
    await expectSoundMoney(stage.database)
  })

  test('opposite ways between the same accounts never wait for each other in a circle', async () => {
    const uid = await stage.user()
    for (const kind of kinds) await stage.credit(uid, 'USDT', '1000', kind)
    const deadlocks = async () => {
      const { rows } = await sql<{ n: number }>`select deadlocks as n from pg_stat_database where datname = current_database()`.execute(
        stage.database.db,
      )
      return Number(rows[0]?.n)
    }
    const before = await deadlocks()
    const pairs = kinds.flatMap((from) => kinds.filter((to) => to !== from).map((to) => ({ from, to })))
    const fields = { currency_id: String(stage.idOf('USDT')), amount: '1' }
    const asked = Array.from({ length: 240 }, (_, at) =>
      stage.call('wallet.transfer', uid, { ...fields, ...pairs[at % pairs.length]! }, randomUUID()),
    )
    const outcomes = await Promise.allSettled(asked)
    expect(outcomes.filter((one) => one.status === 'rejected')).toEqual([])
    expect(await deadlocks()).toBe(before)
    for (const kind of kinds) expect(await stage.has(uid, 'USDT', kind)).toBe('1000/0')
  })
})
