import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLedger } from '#api-server/ledger/ledger.store.ts'
import { freeze } from '#api-server/ledger/ledger.ts'
import { createFundingStore, type Funding } from '#api-server/wallet/funding.store.ts'
import { sealDetails } from '#api-server/wallet/parts.ts'
import { deskCalls } from '#contract/desk.calls.ts'
import { openSecrets, type Secrets } from '#server-kit/secrets.ts'
import { startApi, type TestApi } from '#tests/support/api.ts'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { type ConsoleStage, startConsole, type TestOperator } from '#tests/support/console-stage.ts'
import { askDesk, auditRows, type DeskAnswer } from '#tests/support/desk-stage.ts'
import { onBothEngines } from '#tests/support/engines.ts'
import { type Person, person } from '#tests/support/people.ts'

type Call = keyof typeof deskCalls
const usdt = 3

onBothEngines('the desk', (engine) => {
  let api: TestApi
  let console_: ConsoleStage
  let secrets: Secrets
  let ann: TestOperator
  let bob: TestOperator
  let chief: TestOperator
  let customer: Person
  let before: string[]

  beforeAll(async () => {
    const place = await engine.place()
    api = await startApi({
      place,
      async operators(database) {
        console_ = await startConsole(database)
        return console_.console.gate
      },
    })
    secrets = openSecrets({ dataDir: place.dataDir })
    ann = await console_.operator('ann', ['reviewer'])
    bob = await console_.operator('bob', ['reviewer'])
    chief = await console_.operator('chief', ['administrator'])
  })
  afterAll(async () => {
    if (api) await expectSoundMoney(api.database)
    await console_?.close()
    await api?.close()
  })
  beforeEach(async () => {
    customer = await person(api.origin, { level: '2' })
    before = await auditRows(api.database)
  })

  const ask = (who: TestOperator, call: Call, fields: Record<string, string> = {}, key?: string): Promise<DeskAnswer> => {
    const { method, path } = deskCalls[call]
    const headers: Record<string, string> = key ? { 'idempotency-key': key } : {}
    return askDesk(api.origin, method, `/console/desk/api${path}`, { cookie: who.cookie, fields, headers })
  }
  const said = ({ status, json }: DeskAnswer) => `${status} ${json.name ?? (json.data as { status?: string } | null)?.status ?? 'ok'}`
  const written = async () => (await auditRows(api.database)).slice(before.length)

  /** A request that waits, as the wallet writes it; what a withdrawal takes is frozen. */
  async function waiting(type: 'recharge' | 'withdraw', amount: string, usd: string | null = amount): Promise<Funding> {
    const { uid } = customer
    if (type === 'withdraw') await api.post('/test/credit', { user: String(uid), currency: 'USDT', amount })
    const about = { uid, currency_id: usdt, created_at: Date.now() }
    const [fee, received] = type === 'withdraw' ? ['1', String(Number(amount) - 1)] : ['0', amount]
    return api.database.transaction(async (tx) => {
      const row = await createFundingStore(api.database).create(
        tx,
        {
          ...{ ...about, type, channel: type === 'withdraw' ? 'address' : 'voucher', chain: 'TRC20', target: 'T***', images: '[]' },
          ...{ amount, fee, received, usd, btc: type === 'withdraw' ? '0.001' : null, status: 'reviewing' },
          details: sealDetails(secrets, about, [{ field: 'address', value: 'T-whole' }]),
        },
        'customer',
      )
      if (type === 'withdraw')
        await createLedger().post(tx, {
          ...{ kind: 'withdraw_request', source: `withdraw:${row.id}`, uid, at: about.created_at },
          postings: freeze(uid, 'change', usdt, amount),
        })
      return row
    })
  }
  /** Lines of the books that came of a request, as `kind account amount`, sorted. */
  async function lines({ type, id }: Pick<Funding, 'type' | 'id'>): Promise<string[]> {
    const rows = await api.database.db
      .selectFrom('ledger_posting as p')
      .innerJoin('ledger_event as e', 'e.id', 'p.event_id')
      .innerJoin('ledger_account as a', 'a.id', 'p.account_id')
      .select(['e.kind', 'a.key', 'a.part', sql<string>`trim_scale(p.amount)::text`.as('amount')])
      .where('e.source', '=', `${type}:${id}`)
      .where('e.kind', '<>', 'withdraw_request')
      .execute()
    return rows.map(({ kind, key, part, amount }) => `${kind} ${part ?? key.replace(/^platform:|#\d+$/g, '')} ${amount}`).sort()
  }
  const balance = async () => {
    const rows = await api.database.db
      .selectFrom('ledger_account')
      .select(['part', sql<string>`trim_scale(balance)::text`.as('balance')])
      .where('uid', '=', customer.uid)
      .execute()
    return Object.fromEntries(rows.map(({ part, balance: text }) => [part, text]))
  }

  describe('recharges', () => {
    test('an approval credits once, under one key or another', async () => {
      const row = await waiting('recharge', '250')
      const fields = { id: String(row.id), note: 'voucher fits' }
      expect(said(await ask(ann, 'desk.rechargeApprove', fields, 'k1'))).toBe('200 credited')
      expect(said(await ask(ann, 'desk.rechargeApprove', fields, 'k1'))).toBe('200 credited')
      expect(said(await ask(ann, 'desk.rechargeApprove', { ...fields, note: 'other' }, 'k1'))).toBe('409 key_reused')
      expect(said(await ask(bob, 'desk.rechargeApprove', fields, 'k1'))).toBe('409 state_wrong')
      expect(said(await ask(ann, 'desk.rechargeReject', { id: fields.id, reason: 'no' }))).toBe('409 state_wrong')
      expect(await lines(row)).toEqual(['recharge available 250', 'recharge external_in -250'])
      expect(await balance()).toEqual({ available: '250' })
      expect(await written()).toEqual([`ann recharge.approve recharge:${row.id} voucher fits`])
    })

    test('a refusal credits nothing and keeps its reason', async () => {
      const row = await waiting('recharge', '250')
      const answer = await ask(ann, 'desk.rechargeReject', { id: String(row.id), reason: 'unreadable' })
      expect(answer.json.data).toMatchObject({ status: 'rejected', reason: 'unreadable', decided_by: 'ann', uid: customer.uid })
      expect(said(await ask(bob, 'desk.rechargeApprove', { id: String(row.id) }))).toBe('409 state_wrong')
      expect(await lines(row)).toEqual([])
      expect(await balance()).toEqual({})
      expect(await written()).toEqual([`ann recharge.reject recharge:${row.id} unreadable`])
    })

    test('of two operators at once one decides', async () => {
      for (let round = 0; round < 5; round++) {
        const { id } = await waiting('recharge', '10')
        const fields = { id: String(id), reason: 'no' }
        const answers = await Promise.all([
          ask(ann, 'desk.rechargeApprove', fields),
          ask(bob, round % 2 ? 'desk.rechargeApprove' : 'desk.rechargeReject', fields),
        ])
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
        expect((await lines({ type: 'recharge', id })).length).toBe(
          said(answers[0]!).endsWith('credited') || said(answers[1]!).endsWith('credited') ? 2 : 0,
        )
      }
      expect(await written()).toHaveLength(5)
    })

    test.each<[what: string, usd: string | null]>([
      ['much', '10000'],
      ['what nobody knows', null],
    ])('two must agree on what is worth %s', async (_what, usd) => {
      const row = await waiting('recharge', '20000', usd)
      const fields = { id: String(row.id) }
      const first = await ask(ann, 'desk.rechargeApprove', fields)
      expect(first.json.data).toMatchObject({ status: 'reviewing', four_eyes: true, approved_by: 'ann', may_decide: false })
      expect(said(await ask(ann, 'desk.rechargeApprove', fields))).toBe('403 own_decision')
      expect(await lines(row)).toEqual([])
      const seen = await ask(bob, 'desk.recharge', fields)
      expect(seen.json.data).toMatchObject({ four_eyes: true, approved_by: 'ann', may_decide: true, address: 'T-whole' })
      expect(said(await ask(bob, 'desk.rechargeApprove', fields))).toBe('200 credited')
      expect(await lines(row)).toEqual(['recharge available 20000', 'recharge external_in -20000'])
      expect(await written()).toEqual([`ann recharge.approve_first recharge:${row.id}`, `bob recharge.approve recharge:${row.id}`])
    })

    test('two approvals at once are two when two give them, and one when one does', async () => {
      const [by, both] = [await waiting('recharge', '20000'), await waiting('recharge', '30000')]
      const alone = await Promise.all([
        ask(ann, 'desk.rechargeApprove', { id: String(by.id) }),
        ask(ann, 'desk.rechargeApprove', { id: String(by.id) }),
      ])
      expect(alone.map(said).sort()).toEqual(['200 reviewing', '403 own_decision'])
      const two = await Promise.all([ann, bob].map((who) => ask(who, 'desk.rechargeApprove', { id: String(both.id) })))
      expect(two.map(said).sort()).toEqual(['200 credited', '200 reviewing'])
      expect([(await lines(by)).length, (await lines(both)).length]).toEqual([0, 2])
      expect(await balance()).toEqual({ available: '30000' })
    })

    test('the first of two may still refuse', async () => {
      const row = await waiting('recharge', '20000')
      await ask(ann, 'desk.rechargeApprove', { id: String(row.id) })
      expect(said(await ask(ann, 'desk.rechargeReject', { id: String(row.id), reason: 'on second thoughts' }))).toBe('200 rejected')
      expect(await lines(row)).toEqual([])
    })

    test('an administrator sets from where on two must agree', async () => {
      expect(said(await ask(ann, 'desk.settingsSave', { four_eyes_usd: '5' }))).toBe('403 forbidden')
      expect((await ask(chief, 'desk.settingsSave', { four_eyes_usd: '50.50' })).json.data).toMatchObject({
        four_eyes_usd: '50.5',
        changed_by: 'chief',
      })
      expect((await ask(ann, 'desk.settings')).json.data).toMatchObject({ four_eyes_usd: '50.5' })
      const row = await waiting('recharge', '51')
      expect(said(await ask(bob, 'desk.rechargeApprove', { id: String(row.id) }))).toBe('200 reviewing')
      await ask(chief, 'desk.settingsSave', { four_eyes_usd: '10000' })
      expect(await written()).toEqual([
        'chief settings.four_eyes settings 10000 → 50.5',
        `bob recharge.approve_first recharge:${row.id}`,
        'chief settings.four_eyes settings 50.5 → 10000',
      ])
    })
  })

  describe('withdrawals', () => {
    test('a refusal gives everything back', async () => {
      const row = await waiting('withdraw', '100')
      expect(await balance()).toEqual({ available: '0', frozen: '100' })
      expect(said(await ask(ann, 'desk.withdrawReject', { id: String(row.id), reason: 'wrong network' }))).toBe('200 rejected')
      expect(await lines(row)).toEqual(['withdraw_reject available 100', 'withdraw_reject frozen -100'])
      expect(await balance()).toEqual({ available: '100', frozen: '0' })
      expect(await written()).toEqual([`ann withdraw.reject withdraw:${row.id} wrong network`])
    })

    test('approved, sent and done, in this order only', async () => {
      const row = await waiting('withdraw', '100')
      const id = String(row.id)
      expect(said(await ask(ann, 'desk.withdrawDone', { id }))).toBe('409 state_wrong')
      expect(said(await ask(ann, 'desk.withdrawSent', { id, reference: 'x' }))).toBe('409 state_wrong')
      expect(said(await ask(ann, 'desk.withdrawApprove', { id }))).toBe('200 approved')
      expect((await ask(bob, 'desk.counts')).json.data).toMatchObject({ to_send: 1 })
      expect(said(await ask(bob, 'desk.withdrawDone', { id }))).toBe('409 state_wrong')
      expect(said(await ask(bob, 'desk.withdrawSent', { id, reference: '0xabc' }))).toBe('200 sent')
      expect(said(await ask(bob, 'desk.withdrawReject', { id, reason: 'late' }))).toBe('409 state_wrong')
      expect(await lines(row)).toEqual([])
      expect(said(await ask(ann, 'desk.withdrawDone', { id }))).toBe('200 done')
      expect(said(await ask(ann, 'desk.withdrawDone', { id }))).toBe('409 state_wrong')
      expect(await lines(row)).toEqual(['withdraw_done external_out 99', 'withdraw_done fee 1', 'withdraw_done frozen -100'])
      expect(await balance()).toEqual({ available: '0', frozen: '0' })
      const whole = (await ask(ann, 'desk.withdrawal', { id })).json.data
      expect(whole).toMatchObject({ reference: '0xabc', to: [{ field: 'address', value: 'T-whole' }], limit_btc: '500' })
      expect((whole as { history: { status: string; by: string }[] }).history.map(({ status, by }) => `${by} ${status}`)).toEqual([
        ...['customer reviewing', 'ann approved', 'bob sent', 'ann done'],
      ])
      expect(await written()).toEqual([
        ...[`ann withdraw.approve withdraw:${id}`, `bob withdraw.sent withdraw:${id} 0xabc`, `ann withdraw.done withdraw:${id}`],
      ])
    })

    test('money of a frozen account is not approved to leave until it is freed; it can be refused, and what is due to it comes in', async () => {
      const [row, other, due] = [await waiting('withdraw', '100'), await waiting('withdraw', '50'), await waiting('recharge', '5')]
      const freeze = (frozen: string) => ask(bob, 'desk.customerFreeze', { uid: String(customer.uid), frozen, reason: 'stolen phone' })
      await freeze('1')
      expect(said(await ask(ann, 'desk.withdrawApprove', { id: String(row.id) }))).toBe('403 account_frozen')
      expect(said(await ask(ann, 'desk.withdrawReject', { id: String(other.id), reason: 'stolen' }))).toBe('200 rejected')
      expect(said(await ask(ann, 'desk.rechargeApprove', { id: String(due.id) }))).toBe('200 credited')
      expect(await balance()).toEqual({ available: '55', frozen: '100' })
      await freeze('0')
      expect(said(await ask(ann, 'desk.withdrawApprove', { id: String(row.id) }))).toBe('200 approved')
    })

    test('a recharge is no withdrawal', async () => {
      const row = await waiting('recharge', '5')
      expect(said(await ask(ann, 'desk.withdrawApprove', { id: String(row.id) }))).toBe('404 not_found')
      expect(said(await ask(ann, 'desk.withdrawal', { id: String(row.id) }))).toBe('404 not_found')
      expect(await written()).toEqual([])
    })

    test('a queue is told by customer, those that wait longest first', async () => {
      const ids = [(await waiting('withdraw', '7')).id, (await waiting('withdraw', '8')).id, (await waiting('withdraw', '9')).id]
      await ask(ann, 'desk.withdrawReject', { id: String(ids[1]), reason: 'no' })
      const listed = async (fields: Record<string, string>) => {
        const { list, total } = (await ask(ann, 'desk.withdrawals', { search: String(customer.uid), ...fields })).json.data as {
          list: { id: number }[]
          total: number
        }
        return [total, ...list.map(({ id }) => id)]
      }
      expect(await listed({})).toEqual([2, ids[0], ids[2]])
      expect(await listed({ status: 'all' })).toEqual([3, ids[2], ids[1], ids[0]])
      expect(await listed({ status: 'rejected' })).toEqual([1, ids[1]])
      expect(await listed({ size: '1', page: '2' })).toEqual([2, ids[2]])
      expect(await listed({ search: 'nobody-of-this-name' })).toEqual([0])
    })
  })
})
