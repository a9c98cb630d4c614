import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { createBackOfficeAuditStore } from '#api-server/back-office/audit.store.ts'
import type { OfficePorts } from '#api-server/kit/decision.ts'
import { type OpenProposals, proposalHandlers } from '#api-server/kit/proposals.ts'
import { defineTerms, type OpenTerms } from '#api-server/kit/terms.ts'
import { breachesOf } from '#api-server/ledger/audit/audit.ts'
import { migrations } from '#api-server/migrations.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Database } from '#server-kit/db/db.ts'
import type { Operator } from '#server-kit/http/http.ts'
import { createSettableClock } from '#server-kit/ops/clock.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { officeOn, reviewer, take } from '#tests/support/databases/office-stage.ts'
import { refused } from '#tests/support/databases/wallet-stage.ts'

/** Terms of a made-up product. */
const parcels = defineTerms<{ price: string; most: number }>({
  product: 'parcel',
  schema: z.object({ price: z.string(), most: z.int() }),
  fields: { price: { kind: 'decimal', unit: 'USDT' }, most: { kind: 'whole' } },
  check: ({ most }) => (most > 99 ? 'most' : undefined),
  newKey: async (tx) => String((await tx.selectFrom('terms').select('key').where('product', '=', 'parcel').execute()).length + 1),
})
const admin = (name: string, id: number, fresh = true): Operator => ({ ...reviewer(name, id), roles: ['administrator'], fresh })
const [ann, bob] = [admin('ann', 1), admin('bob', 2)]

onEngines('proposals and terms of the kit', (engine) => {
  let database: Database
  let terms: OpenTerms
  let office: OfficePorts
  const agreed: string[] = []
  beforeAll(async () => {
    database = await engine.open(migrations)
    const absent = () => Promise.reject(new Error('no customers here'))
    const notices = { notify: absent, notifyAll: absent }
    office = officeOn({ database, clock: createSettableClock({ now: () => 1_000 }), proofs: { standing: absent, lock: absent }, notices })
    terms = parcels.open(office, {
      async agreed(_decision, { key, version, terms: { most } }) {
        if (most === 13) throw new ApiProblem('currency_closed')
        agreed.push(`${key} v${version} ${most}`)
      },
    })
  })
  afterAll(() => database?.close())
  const propose = (by: Operator, typed: Record<string, string>, key?: string, version?: number) =>
    database.transaction((tx) => terms.propose(tx, by, { key, version, typed }))
  const act = (step: 'agree' | 'drop', by: Operator, id: number) => database.transaction((tx) => terms.proposals[step](tx, by, id))
  const log = async () =>
    (await createBackOfficeAuditStore(database).page({ subject: 'parcel:' }, 1, 50)).list
      .map(({ operator, action, subject, detail }) => `${operator} ${action} ${subject} ${detail}`)
      .reverse()
  const breaches = () => breachesOf(database.db, parcels.checks[0]!)

  test('new terms count once another administrator has agreed, and each step has its row in the log', async () => {
    expect(await refused(propose(admin('ann', 1, false), { price: '5', most: '3' }))).toBe('fresh_login_required')
    expect(await refused(propose(ann, { price: '5' }))).toBe('parameter_error most')
    expect(await refused(propose(ann, { price: '5', most: '100' }))).toBe('parameter_error most')
    const { id, subject, state } = await propose(ann, { price: '5', most: '3' })
    expect([subject, state]).toEqual(['1', 'open'])
    expect(await terms.one('1', bob)).toMatchObject({
      version: 0,
      proposal: {
        id,
        by: 'ann',
        own: false,
        may_agree: true,
        changes: [
          { name: 'price', shown: '5 USDT', before: '' },
          { name: 'most', shown: '3', before: '' },
        ],
      },
      versions: [],
    })
    expect(await refused(act('agree', ann, id))).toBe('own_decision')
    expect(await refused(act('agree', admin('bob', 2, false), id))).toBe('fresh_login_required')
    expect(agreed).toEqual([])
    expect(await act('agree', bob, id)).toMatchObject({ kind: 'parcel', subject: '1', state: 'agreed' })
    expect(agreed).toEqual(['1 v1 3'])
    expect(await refused(act('agree', bob, id))).toBe('state_wrong')
    expect(await terms.one('1', bob)).toMatchObject({
      version: 1,
      changed_by: 'ann, bob',
      proposal: null,
      versions: [{ version: 1, name: '' }],
    })
    expect(await log()).toEqual([
      'ann terms.propose parcel:1 price – → 5 USDT; most – → 3',
      'bob terms.agree parcel:1 price – → 5 USDT; most – → 3',
    ])
  })

  test('one proposal waits for a subject, on the version that was shown, and it ends by its author or another', async () => {
    expect(await refused(propose(ann, { price: '5' }, '1'))).toBe('state_wrong')
    expect(await refused(propose(ann, { price: '6' }, '1', 7))).toBe('terms_changed')
    expect(await refused(propose(ann, { price: '6' }, '2'))).toBe('not_found key')
    const { id } = await propose(ann, { price: '6' }, '1', 1)
    expect(await refused(propose(bob, { price: '7' }, '1', 1))).toBe('state_wrong')
    expect(await act('drop', ann, id)).toMatchObject({ state: 'withdrawn' })
    const again = await propose(ann, { price: '6' }, '1')
    expect(await act('drop', bob, again.id)).toMatchObject({ state: 'refused' })
    expect((await log()).slice(-3)).toEqual([
      'ann terms.withdraw parcel:1 ann',
      'ann terms.propose parcel:1 price 5 USDT → 6 USDT',
      'bob terms.refuse parcel:1 ann',
    ])
  })

  test('a proposal on a version that counts no longer cannot be agreed to', async () => {
    const { id } = await propose(ann, { most: '4' }, '1')
    const row = { product: 'parcel', key: '1', version: 2, terms: JSON.stringify({ price: '8', most: 3 }), changed_by: 'eve', at: 1 }
    await database.db.insertInto('terms').values(row).execute()
    expect(await refused(act('agree', bob, id))).toBe('state_wrong')
    await act('drop', bob, id)
  })

  test('a change that the product refuses leaves no version, no decision and no row in the log', async () => {
    const { id } = await propose(ann, { most: '13' }, '1')
    const before = await log()
    expect(await refused(act('agree', bob, id))).toBe('currency_closed')
    expect([await log(), (await terms.one('1', bob)).version, (await terms.one('1', bob)).proposal?.id]).toEqual([before, 2, id])
    await act('drop', ann, id)
  })

  test('the two calls decide about any kind, once for a key', async () => {
    const handlers = proposalHandlers(office, [terms.proposals as OpenProposals<never>])
    const { id } = await propose(ann, { most: '5' }, '1')
    expect(await take({ handlers }, 'office.proposalAgree', { id }, bob)).toEqual({ id, kind: 'parcel', subject: '1', state: 'agreed' })
    expect(await refused(take({ handlers }, 'office.proposalDrop', { id }, bob))).toBe('state_wrong')
    expect(await refused(take({ handlers }, 'office.proposalDrop', { id: 999_999 }, bob))).toBe('state_wrong')
  })

  test('check D2 finds a proposal or a decision without its row, and the database refuses to change what was decided', async () => {
    expect(await breaches()).toEqual([])
    await sql`alter table desk_audit disable trigger user`.execute(database.db)
    await sql`delete from desk_audit where action = 'terms.refuse' and id = (select min(id) from desk_audit where action = 'terms.refuse')`.execute(
      database.db,
    )
    expect(await breaches()).toEqual(['parcel:1 by bob: decided 2 times, 1 in the log'])
    await expect(database.db.updateTable('office_proposal').set({ state: 'open' }).execute()).rejects.toThrow(/does not go from agreed to/)
    await expect(database.db.deleteFrom('terms').execute()).rejects.toThrow(/only added/)
  })
})
