import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { write } from '#server-kit/db/db.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { type Person, person } from '#tests/support/people/people.ts'
import { type BackOfficeCall, useBackOfficeMoney, type Who } from '#tests/support/servers/back-office-money.ts'
import type { BackOfficeAnswer } from '#tests/support/servers/back-office-stage.ts'
import type { TestOperator } from '#tests/support/servers/console-stage.ts'

interface Waits {
  id: number
}

onEngines('rules against harm by a single operator', (engine) => {
  const { ask, said, written, waiting, lines, api, operators } = useBackOfficeMoney(engine)
  const bearer = ({ token }: Person) => ({ authorization: `Bearer ${token}` })
  async function customerCall<T>(who: Person, path: string, fields: Record<string, string>): Promise<{ status: number; data: T }> {
    const answer = await api().post(path, fields, bearer(who))
    return { status: answer.status, ...answer.json<{ data: T }>() }
  }

  describe('the rule of two operators', () => {
    const rule = async () => {
      const { four_eyes_usd, proposal } = (await ask('ann', 'office.settings')).json.data as {
        four_eyes_usd: string
        proposal: Waits | null
      }
      return { usd: four_eyes_usd, proposal }
    }
    const set = (who: Who, usd: string, key?: string) => ask(who, 'office.settingsSave', { four_eyes_usd: usd }, key)
    const answered = ({ status, json }: BackOfficeAnswer) =>
      json.name ? `${status} ${json.name}` : `${status} ${(json.data as { four_eyes_usd?: string }).four_eyes_usd ?? 'done'}`
    /** The pending proposal. */
    const waits = async () => String((await rule()).proposal?.id)
    const end = (who: Who, call: 'office.proposalAgree' | 'office.proposalDrop', id: string) => ask(who, call, { id })

    test('is made stricter at once, and weaker only by a second administrator; reviewers can read it', async () => {
      expect(answered(await set('ann', '5'))).toBe('403 forbidden')
      expect(answered(await set('both', '50.50'))).toBe('200 50.5')
      expect((await ask('ann', 'office.settings')).json.data).toMatchObject({ four_eyes_usd: '50.5', changed_by: 'both', proposal: null })

      // An operator with both roles raises the threshold and would then approve alone.
      const row = await waiting('recharge', '51')
      const changes = [{ name: 'four_eyes_usd', value: '10000', shown: '10000 USD', before: '50.5 USD' }]
      expect((await set('both', '10000', 'raise')).json.data).toMatchObject({
        four_eyes_usd: '50.5',
        changed_by: 'both',
        proposal: { changes, by: 'both', time: expect.any(Number), own: true, may_agree: false },
      })
      expect(answered(await set('both', '10000', 'raise'))).toBe('200 50.5')
      expect((await rule()).proposal).toMatchObject({ changes, by: 'both', own: false, may_agree: false })
      expect(said(await ask('both', 'office.rechargeApprove', { id: String(row.id) }))).toBe('200 reviewing')
      expect(said(await ask('both', 'office.rechargeApprove', { id: String(row.id) }))).toBe('403 own_decision')

      const id = await waits()
      expect(answered(await end('both', 'office.proposalAgree', id))).toBe('403 own_decision')
      expect(answered(await end('ann', 'office.proposalAgree', id))).toBe('403 forbidden')
      expect(answered(await end('chief', 'office.proposalAgree', String(Number(id) + 1)))).toBe('409 state_wrong')
      expect(answered(await set('chief', '20000'))).toBe('409 state_wrong')
      expect((await ask('chief', 'office.settings')).json.data).toMatchObject({ proposal: { own: false, may_agree: true } })
      expect(answered(await end('chief', 'office.proposalAgree', id))).toBe('200 done')
      expect((await ask('ann', 'office.settings')).json.data).toMatchObject({
        four_eyes_usd: '10000',
        changed_by: 'both, chief',
        proposal: null,
      })
      expect(answered(await end('chief', 'office.proposalAgree', id))).toBe('409 state_wrong')
      expect(await lines(row)).toEqual([])
      expect(await written()).toEqual([
        'both settings.four_eyes settings 10000 → 50.5',
        'both settings.propose settings four_eyes_usd 50.5 USD → 10000 USD',
        `both recharge.approve_first recharge:${row.id}`,
        'chief settings.agree settings four_eyes_usd 50.5 USD → 10000 USD',
      ])
    })

    test.each<[what: string, ends: Who, call: 'office.proposalDrop' | 'office.settingsSave', row: string]>([
      ['withdrawn by its author', 'both', 'office.proposalDrop', 'both settings.withdraw settings both'],
      ['refused by another', 'chief', 'office.proposalDrop', 'chief settings.refuse settings both'],
      ['overtaken by a stricter rule', 'chief', 'office.settingsSave', 'chief settings.four_eyes settings 10000 → 10000'],
    ])('a proposal that is %s has no effect and can no longer be approved', async (_what, ends, call, row) => {
      await set('both', '20000')
      const id = await waits()
      const done = call === 'office.proposalDrop' ? await end(ends, call, id) : await set(ends, '10000')
      expect(answered(done)).toBe(call === 'office.proposalDrop' ? '200 done' : '200 10000')
      expect(answered(await end('chief', 'office.proposalAgree', id))).toBe('409 state_wrong')
      expect(answered(await end('both', 'office.proposalDrop', id))).toBe('409 state_wrong')
      expect(await rule()).toEqual({ usd: '10000', proposal: null })
      expect((await written()).at(-1)).toBe(row)
    })

    test('operators with the rules open are notified of each change, without numbers of waiting requests', async () => {
      await waiting('recharge', '51')
      const { cookie } = await operators().operator('watches', ['administrator'])
      const stream = await fetch(`${api().origin}/console/back-office/events`, { headers: { cookie } })
      const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
      const heard: { counts: { recharges: number }; rules: number }[] = []
      void (async () => {
        for (let part = await reader.read(); !part.done; part = await reader.read())
          for (const [, data] of part.value.matchAll(/^data: (.*)$/gm)) heard.push(JSON.parse(data!))
      })()
      await expect.poll(() => heard.length).toBe(1)
      const steps = [() => set('both', '20000'), async () => end('chief', 'office.proposalDrop', await waits())]
      for (const step of steps) {
        const { rules } = heard.at(-1)!
        await step()
        await expect.poll(() => heard.at(-1)!.rules).toBeGreaterThan(rules)
      }
      expect(new Set(heard.map(({ counts }) => counts.recharges))).toEqual(new Set([0]))
      await reader.cancel()
    })

    test('of a concurrent approval and rejection one counts', async () => {
      await set('both', '20000')
      const id = await waits()
      const answers = await Promise.all([end('chief', 'office.proposalAgree', id), end('chief', 'office.proposalDrop', id)])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
      await set('chief', '10000')
    })
  })

  describe('an outdated confirmation', () => {
    let stale: TestOperator
    beforeEach(async () => {
      stale = await operators().operator('stale', ['reviewer', 'administrator'])
      const past = { fresh_until: 1 }
      await api().database.db.updateTable('config_operator_session').set(past).where('operator_id', '=', stale.id).execute()
    })
    const fresh = 'fresh_login_required'

    test.each<[what: string, type: 'recharge' | 'withdraw', usd: string | null, call: BackOfficeCall, answer: string]>([
      ['may credit what needs one operator', 'recharge', '9999.99', 'office.rechargeApprove', '200 credited'],
      ['may not credit what needs two operators', 'recharge', '10000', 'office.rechargeApprove', `403 ${fresh}`],
      ['may not credit a request of unknown worth', 'recharge', null, 'office.rechargeApprove', `403 ${fresh}`],
      ['may not reject it either', 'recharge', '10000', 'office.rechargeReject', `403 ${fresh}`],
      ['may reject what needs one operator', 'withdraw', '100', 'office.withdrawReject', '200 rejected'],
      ['may not approve what needs two operators', 'withdraw', '10000', 'office.withdrawApprove', `403 ${fresh}`],
      ['reports a wrong state first', 'withdraw', '10000', 'office.withdrawSent', '409 state_wrong'],
    ])('%s', async (_what, type, usd, call, answer) => {
      const row = await waiting(type, '100', usd)
      const fields = {
        id: String(row.id),
        ...(call.endsWith('Reject') && { reason: 'r' }),
        ...(call === 'office.withdrawSent' && { reference: 'x' }),
      }
      expect(said(await ask(stale, call, fields, `key-${row.id}`))).toBe(answer)
      if (!answer.endsWith(fresh)) return
      expect([await lines(row), await written()]).toEqual([[], []])
      const look = type === 'recharge' ? 'office.recharge' : 'office.withdrawal'
      expect((await ask('ann', look, { id: fields.id })).json.data).toMatchObject({ status: 'reviewing', approved_by: '' })
      // After the confirmation the same call succeeds.
      const body = { password: stale.password, code: operators().code(stale.totpSecret) }
      expect((await operators().ask('POST', '/fresh', { cookie: stale.cookie, body })).status).toBe(200)
      expect((await ask(stale, call, fields, `key-${row.id}`)).status).toBe(200)
    })

    test('may not weaken a rule, may make one stricter, and may withdraw a proposal', async () => {
      expect(said(await ask(stale, 'office.settingsSave', { four_eyes_usd: '10001' }))).toBe(`403 ${fresh}`)
      expect((await ask('chief', 'office.settingsSave', { four_eyes_usd: '10001' })).status).toBe(200)
      const { proposal } = (await ask('ann', 'office.settings')).json.data as { proposal: Waits }
      expect(said(await ask(stale, 'office.proposalAgree', { id: String(proposal.id) }))).toBe(`403 ${fresh}`)
      expect((await ask(stale, 'office.proposalDrop', { id: String(proposal.id) })).status).toBe(200)
      expect((await ask(stale, 'office.settingsSave', { four_eyes_usd: '10000' })).status).toBe(200)
      expect(await written()).toHaveLength(3)
    })
  })

  describe('duplicates', () => {
    /** A stored picture, as left by an upload; equal marks mean equal pictures. */
    async function voucher(who: Person, mark: string | null): Promise<string> {
      const name = randomBytes(20).toString('hex')
      const about = { uid: who.uid, purpose: 'proof', kind: 'png', width: 4, height: 3, bytes: 9, sha256: 'x', mark } as const
      await write(
        1,
        api()
          .database.db.insertInto('upload')
          .values({ name, ...about, created_at: Date.now(), claimed_at: null }),
      )
      return `/api/upload/${name}`
    }
    async function recharge(who: Person, ...imgs: string[]): Promise<number> {
      const fields = { imgs: imgs.join(), amount: '25', currency_id: '3', chain: 'TRC20' }
      return (await customerCall<{ id: number }>(who, '/api/wallet/recharge', fields)).data.id
    }
    type Same = { seen_before: boolean; same_picture: { id: number; uid: number; status: string }[] }
    const same = async (id: number) => (await ask('ann', 'office.recharge', { id: String(id) })).json.data as Same

    test('a picture used in another deposit is reported with that deposit, whoever sent it and whatever its state', async () => {
      const [one, two] = [await person(api().origin), await person(api().origin)]
      const [mine, copy, other] = await Promise.all([voucher(one, 'red'), voucher(two, 'red'), voucher(two, 'blue')])
      expect(copy).not.toBe(mine)
      const first = await recharge(one, mine)
      expect(await same(first)).toMatchObject({ seen_before: false, same_picture: [] })
      await ask('ann', 'office.rechargeReject', { id: String(first), reason: 'unreadable' })
      const alone = await recharge(two, other)
      const again = await recharge(two, other, copy)
      expect(await same(alone)).toMatchObject({ seen_before: true, same_picture: [{ id: again, uid: two.uid, status: 'reviewing' }] })
      const conditions = { ids: [alone, first], statuses: ['reviewing', 'rejected'] }
      const { same_picture } = await same(again)
      expect({ ids: same_picture.map(({ id }) => id), statuses: same_picture.map(({ status }) => status) }).toEqual(conditions)
      expect((await same(first)).same_picture).toEqual([{ id: again, uid: two.uid, status: 'reviewing' }])
      const queue = async (who: Person) =>
        ((await ask('ann', 'office.recharges', { status: 'all', search: String(who.uid) })).json.data as { list: Same[] }).list
      expect((await queue(two)).map((row) => row.seen_before)).toEqual([true, true])
      // It is only an alert: an operator may still credit the deposit.
      expect((await ask('ann', 'office.rechargeApprove', { id: String(again) })).json.data).toMatchObject({
        status: 'credited',
        seen_before: true,
      })
      // Uploads from before the marks match nothing.
      const [old, older] = await Promise.all([voucher(one, null), voucher(two, null)])
      await recharge(one, old)
      expect(await same(await recharge(two, older))).toMatchObject({ seen_before: false, same_picture: [] })
    })

    test('a document of another account is reported in any notation of its number; the own one is not', async () => {
      const [one, two] = [await person(api().origin, { both: '1' }), await person(api().origin, { both: '1' })]
      const prove = (who: Person, card_id: string) =>
        customerCall(who, '/api/user/real', { id_type: 'passport', name: 'Ann Smith', card_id }).then(({ status }) =>
          expect(status).toBe(200),
        )
      const newest = async (who: Person) => {
        const found = await ask('ann', 'office.verifications', { status: 'all', search: String(who.uid) })
        const [row] = (found.json.data as { list: { id: number; seen_before: boolean }[] }).list
        const whole = (await ask('ann', 'office.verification', { id: String(row!.id) })).json.data as {
          same_document: { uid: number; status: string }[]
        }
        return { id: row!.id, before: row!.seen_before, same: whole.same_document.map(({ uid, status }) => `${uid} ${status}`) }
      }
      await prove(one, 'ZX 76-54321')
      const refused = await newest(one)
      expect(refused).toMatchObject({ before: false, same: [] })
      await ask('ann', 'office.verifyReject', { id: String(refused.id), reason: 'blurred' })
      await prove(one, 'zx7654321')
      expect(await newest(one)).toMatchObject({ before: false, same: [] })
      await prove(two, 'zx7654321')
      expect(await newest(two)).toMatchObject({ before: true, same: [`${one.uid} reviewing`] })
      expect(await newest(one)).toMatchObject({ before: true, same: [`${two.uid} reviewing`] })
      const marks = await api()
        .database.db.selectFrom('verification')
        .select('number_mark')
        .where('uid', 'in', [one.uid, two.uid])
        .execute()
      expect(new Set(marks.map(({ number_mark }) => number_mark)).size).toBe(1)
      expect(JSON.stringify(marks)).not.toMatch(/7654321/)
    })
  })
})
