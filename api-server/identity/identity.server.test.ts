import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoAccount, seedDemoAccount } from '#api-server/account/demo.ts'
import type { ProblemCode } from '#contract/problem.ts'
import { createHasher } from '#server-kit/security/hasher.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { reviewer } from '#tests/support/databases/office-stage.ts'
import { bearing, codeTo, dataOf, type Made, mailbox, makeUser, wrongCode } from '#tests/support/people/accounts.ts'
import { authPaper, paperSecrets, realPaper, sendPicture } from '#tests/support/people/identity-papers.ts'
import { startApi, type TestApi } from '#tests/support/servers/api.ts'
import { refusal } from '#tests/support/servers/envelope.ts'

interface Auth {
  level: number
  status: string
  levels: { level: number; status: string; reason: string; name: string; number: string; limit_btc: string; reviewed: number | null }[]
}

onEngines('identity', (engine) => {
  let api: TestApi
  let dataDir: string
  let queue: TestApi['api']['identity']['queue']
  beforeAll(async () => {
    const place = await engine.place()
    dataDir = place.dataDir
    api = await startApi({ place })
    queue = api.api.identity.queue
  })
  afterAll(() => api?.close())

  const bound = { both: '1' }
  const both = (n: number) => ({ email: `paper${n}@mail.example`, mobile: `1380013${String(7000 + n)}` })
  const send = (path: string, user: Made, fields: Record<string, string>, key?: string) =>
    api.post(path, fields, bearing(user.token, key ? { 'idempotency-key': key } : {}))
  const auth = async (user: Made) => dataOf<Auth>(await api.get('/api/user/getAuth', bearing(user.token)))
  const states = async (user: Made) => (await auth(user)).levels.map(({ status }) => status).join()
  const rows = async (user: Made) =>
    api.database.db.selectFrom('verification').selectAll().where('uid', '=', user.uid).orderBy('id').execute()
  const rita = reviewer('Rita')
  const waiting = async () => (await queue.counts()).verifications
  const approve = (id: number) =>
    api.database.transaction((tx) => queue.decide(tx, rita, 'office.verifyApprove', { id, note: 'looks right' }))
  const reject = (id: number, reason = 'the picture is blurred') =>
    api.database.transaction((tx) => queue.decide(tx, rita, 'office.verifyReject', { id, reason }))
  const refused = (work: Promise<unknown>) =>
    work.then(
      () => 'done',
      (error: { code?: ProblemCode }) => String(error.code),
    )

  test('level 1, then 2: submitted, rejected with a reason, submitted again, approved; approval raises the level and the customer gets a notice', async () => {
    const user = await makeUser(api, both(1))
    expect(await states(user)).toBe('none,none')
    expect((await auth(user)).levels.map(({ limit_btc }) => limit_btc)).toEqual(['200', '500'])
    const pictures = [await sendPicture(api, user.token), await sendPicture(api, user.token, 'draft')] as const
    expect(refusal(await send('/api/user/doAuth', user, authPaper(...pictures)))).toBe('409 level_missing')
    expect(await rows(user)).toEqual([])

    const sent = dataOf<Auth>(await send('/api/user/real', user, realPaper))
    expect(sent.levels[0]).toMatchObject({ status: 'reviewing', name: 'A***', number: '1****2X', reviewed: null })
    expect(refusal(await send('/api/user/real', user, realPaper))).toBe('409 state_wrong')
    expect(await waiting()).toBe(1)
    const [first] = await rows(user)
    await reject(first!.id)
    expect((await auth(user)).levels[0]).toMatchObject({ status: 'failed', reason: 'the picture is blurred' })
    for (const again of [approve, reject]) expect(await refused(again(first!.id))).toBe('state_wrong')
    expect(dataOf(await api.get('/api/user/info', bearing(user.token))).level).toBe(0)

    dataOf(await send('/api/user/real', user, realPaper))
    const second = (await rows(user))[1]!
    expect(await queue.one(second.id, rita)).toMatchObject({
      name: 'Ann Wintersmith',
      number: '11010519491231002X',
      earlier: 1,
      asked: 1,
      level: 0,
    })
    expect(await approve(second.id)).toMatchObject({ status: 'passed', level: 1, decided_by: 'Rita' })
    expect([await states(user), (await auth(user)).level]).toEqual(['passed,none', 1])
    expect(refusal(await send('/api/user/real', user, realPaper))).toBe('409 state_wrong')

    dataOf(await send('/api/user/doAuth', user, authPaper(...pictures)))
    expect(await states(user)).toBe('passed,reviewing')
    const third = (await rows(user))[2]!
    const whole = await queue.one(third.id, rita)
    const names = whole.pictures.map(({ src }) => src.slice(src.lastIndexOf('/') + 1))
    expect(names.map((name) => `/api/upload/${name}`)).toEqual(pictures)
    for (const name of names) expect(await api.api.uploads.readFor(name)).toMatchObject({ uid: user.uid, type: 'image/png' })
    await approve(third.id)
    expect(await auth(user)).toMatchObject({ level: 2, status: 'passed' })
    expect(dataOf(await api.get('/api/user/info', bearing(user.token))).level).toBe(2)
    const news = await mailbox(api, user.username)
    expect(news.map(({ kind }) => kind)).toEqual(['notice:level_passed', 'notice:level_passed', 'notice:level_failed'])
    expect(news[2]!.text).toContain('basic verification was not accepted. Reason: the picture is blurred')
    for (const { text } of news) for (const secret of paperSecrets) expect(text).not.toContain(secret)
  })

  test('both levels need an e-mail address and a mobile number, when they are sent and when they are approved; a level is kept', async () => {
    const [user, old] = [await makeUser(api), await makeUser(api, { level: '1' })]
    const { db } = api.database
    const bind = (mobile: string | null) => db.updateTable('account').set({ mobile }).where('id', '=', user.uid).execute()
    expect(refusal(await send('/api/user/real', user, realPaper))).toBe('409 contacts_unbound')
    expect(await rows(user)).toEqual([])
    await bind('+86 13800137199')
    dataOf(await send('/api/user/real', user, realPaper))
    const { id } = (await rows(user))[0]!
    await bind(null)
    expect(await refused(approve(id))).toBe('contacts_unbound')
    expect([await states(user), (await auth(user)).level]).toEqual(['reviewing,none', 0])
    await bind('+86 13800137199')
    expect(await approve(id)).toMatchObject({ status: 'passed', level: 1 })
    expect([await states(old), (await auth(old)).level]).toEqual(['passed,none', 1])
  })

  test('a code sent with a submission must be the one for the bound e-mail address, and counts once', async () => {
    const user = await makeUser(api, both(3))
    const ask = (email_code: string, who = user, key?: string) =>
      send('/api/user/real', who, { ...realPaper, email_code }, key).then(refusal)
    expect(refusal(await api.post('/api/sms_send', { scene: 'identity' }, bearing(user.token)))).toBe('400 parameter_error scene')
    dataOf(await api.post('/api/sms_mail', { scene: 'withdraw' }, bearing(user.token)))
    expect(await ask(await codeTo(api, user.username))).toBe('400 code_wrong email_code')
    dataOf(await api.post('/api/sms_mail', { scene: 'identity' }, bearing(user.token)))
    const code = await codeTo(api, user.username)
    expect(await ask(wrongCode(code))).toBe('400 code_wrong email_code')
    const other = await makeUser(api, bound)
    expect(await ask(code, other)).toBe('400 code_wrong email_code')
    const elsewhere = (email: string) => api.database.db.updateTable('account').set({ email }).where('id', '=', user.uid).execute()
    await elsewhere('paper3.again@mail.example')
    expect(await ask(code)).toBe('400 code_wrong email_code')
    await elsewhere(user.username)
    expect([await rows(user), await rows(other)]).toEqual([[], []])
    expect(dataOf<Auth>(await send('/api/user/real', user, { ...realPaper, email_code: code })).levels[0]).toMatchObject({
      status: 'reviewing',
    })
    await reject((await rows(user))[0]!.id)
    expect(await ask(code)).toBe('400 code_wrong email_code')
    expect(await rows(user)).toHaveLength(1)
  })

  test.for<[string, Record<string, string>, string]>([
    ['a name of punctuation', { name: '<b>Ann' }, '400 name_wrong name'],
    ['a number of letters', { card_id: 'ABCDEF' }, '400 id_number_wrong card_id'],
    ['an unknown kind of document', { id_type: 'library' }, '400 parameter_error id_type'],
    ['the other level', { real_type: '2' }, '400 parameter_error real_type'],
  ])('%s is refused with its own code, and nothing is stored', async ([, wrong, why]) => {
    const user = await makeUser(api, bound)
    expect(refusal(await send('/api/user/real', user, { ...realPaper, ...wrong }))).toBe(why)
    expect(await rows(user)).toEqual([])
  })

  test('level 2 requires an e-mail address and a mobile number, both pictures, and the customer’s own uploads', async () => {
    const [user, other] = [await makeUser(api, { level: '1', ...both(2) }), await makeUser(api, { level: '1' })]
    const mine = await sendPicture(api, user.token)
    const theirs = await sendPicture(api, other.token)
    const ask = (who: Made, front: string, reverse: string, more: Record<string, string> = {}) =>
      send('/api/user/doAuth', who, { ...authPaper(front, reverse), ...more }).then(refusal)
    expect(await ask(other, theirs, theirs)).toBe('409 contacts_unbound')
    expect(await ask(user, '', mine)).toBe('400 picture_missing front_pic')
    expect(await ask(user, mine, '')).toBe('400 picture_missing reverse_pic')
    expect(await ask(user, mine, mine)).toBe('400 picture_missing reverse_pic')
    expect(await ask(user, theirs, mine)).toBe('404 not_found front_pic')
    expect(await ask(user, mine, theirs)).toBe('404 not_found reverse_pic')
    expect(await ask(user, mine, `/api/upload/${'0'.repeat(40)}`)).toBe('404 not_found reverse_pic')
    expect([await rows(user), await rows(other)]).toEqual([[], []])
    dataOf(await send('/api/user/doAuth', user, { ...authPaper(mine, ''), id_type: 'passport', idnumber: 'K1234567' }))
    expect(await rows(user)).toMatchObject([{ front: mine, reverse: '', status: 'reviewing' }])
    expect(await api.api.uploads.readFor(theirs.slice(12))).toBeUndefined()
  })

  test('of twenty concurrent submissions, or many with one key, one waits', async () => {
    const [many, keyed] = [await makeUser(api, bound), await makeUser(api, bound)]
    const answers = await Promise.all(Array.from({ length: 20 }, () => send('/api/user/real', many, realPaper)))
    expect(answers.map((answer) => (answer.status === 200 ? 'taken' : refusal(answer))).sort()).toEqual([
      ...Array.from({ length: 19 }, () => '409 state_wrong'),
      'taken',
    ])
    const texts = new Set(
      (await Promise.all(Array.from({ length: 6 }, () => send('/api/user/real', keyed, realPaper, 'k-1')))).map(({ text }) => text),
    )
    expect([texts.size, (await rows(many)).length, (await rows(keyed)).length]).toEqual([1, 1, 1])
    expect(refusal(await send('/api/user/real', keyed, { ...realPaper, name: 'Bob Lee' }, 'k-1'))).toBe('409 key_reused')
    const { id } = (await rows(keyed))[0]!
    const decisions = await Promise.all([approve(id), approve(id), reject(id)].map(refused))
    expect(decisions.filter((one) => one === 'done')).toHaveLength(1)
    expect(decisions.filter((one) => one === 'state_wrong')).toHaveLength(2)
  })

  test('a rejection needs a reason, and a decision can neither be changed nor removed', async () => {
    const user = await makeUser(api, bound)
    dataOf(await send('/api/user/real', user, realPaper))
    const { id } = (await rows(user))[0]!
    expect(await refused(reject(id, '  '))).toBe('reason_missing')
    expect(await refused(approve(999_999))).toBe('not_found')
    expect(await states(user)).toBe('reviewing,none')
    await approve(id)
    const { db } = api.database
    await expect(sql`update verification set status = 'failed', reason = 'x' where id = ${id}`.execute(db)).rejects.toThrow(
      'does not go from passed to failed',
    )
    expect(await states(user)).toBe('passed,none')
  })

  test('the queue shows the oldest first, in pages and by search, without names and numbers', async () => {
    const { list, total } = await queue.list({ page: 1, size: 2, status: 'reviewing' }, rita)
    expect(list.map(({ id }) => id)).toEqual(list.map(({ id }) => id).sort((a, b) => a - b))
    expect([list.length, total]).toEqual([2, await waiting()])
    const all = await queue.list({ page: 1, size: 100, status: 'all' }, rita)
    expect(all.list[0]!.id).toBeGreaterThan(all.list.at(-1)!.id)
    for (const secret of paperSecrets) expect(JSON.stringify(all)).not.toContain(secret)
    const uid = all.list[0]!.uid
    expect((await queue.list({ page: 1, size: 100, status: 'all', search: String(uid) }, rita)).list.every((row) => row.uid === uid)).toBe(
      true,
    )
    expect(await queue.list({ page: 1, size: 10, status: 'all', search: "nobody' or 1=1" }, rita)).toEqual({ list: [], total: 0 })
  })

  test('a frozen customer cannot submit', async () => {
    const user = await makeUser(api)
    await api.database.db.updateTable('account').set({ status: 'frozen' }).where('id', '=', user.uid).execute()
    expect(refusal(await send('/api/user/real', user, realPaper))).toMatch(/^(403 account_frozen|401 unauthorized)$/)
    const card = { real_name: 'Ann Wintersmith', bank_account: '6222020280112233' }
    expect(refusal(await send('/api/user/cash_save', user, card))).toMatch(/^(403 account_frozen|401 unauthorized)$/)
    expect([await rows(user), await api.database.db.selectFrom('bank_card').selectAll().where('uid', '=', user.uid).execute()]).toEqual([
      [],
      [],
    ])
  })

  test('bank cards are masked for their owner and encrypted in the database; a new destination waits a day and causes a notice', async () => {
    const user = await makeUser(api)
    const save = (fields: Record<string, string>) => send('/api/user/cash_save', user, fields)
    const usableFrom = async () =>
      (await api.database.db.selectFrom('bank_card').select('usable_from').where('uid', '=', user.uid).executeTakeFirst())?.usable_from
    const info = async (path = '/api/user/cash_info') => dataOf(await send(path, user, {}))
    expect(await info()).toMatchObject({ saved: false, real_name: '', changed: null })
    const card = {
      real_name: 'Ann Wintersmith',
      bank_account: '6222 0202 8011 2233',
      bank_name: 'Harbour Bank',
    }
    expect(refusal(await save({ ...card, usable_from: '0', uid: '1' }))).toBe('400 parameter_unknown usable_from')
    expect(dataOf(await save(card))).toMatchObject({ saved: true, bank_account: '**** 2233', bank_name: 'Harbour Bank' })
    expect(await usableFrom()).toBeGreaterThan(api.clock.now() + 23 * 3_600_000)
    expect(await info('/api/user/cash_info_international')).toMatchObject({ saved: false })
    expect(refusal(await save({ ...card, bank_account: '12' }))).toBe('400 card_wrong bank_account')
    expect(refusal(await save({ bank_account: '6222020280112233' }))).toBe('400 parameter_missing real_name')
    expect(dataOf(await save({ ...card, bank_account: '**** 2233', bank_name: 'Harbour Bank 2' }))).toMatchObject({
      bank_account: '**** 2233',
    })
    const at = api.clock.now()
    dataOf(await save({ ...card, bank_account: '6222020220112244' }))
    const { usable_from, fields } = await api.database.db
      .selectFrom('bank_card')
      .selectAll()
      .where('uid', '=', user.uid)
      .executeTakeFirstOrThrow()
    expect(usable_from).toBeGreaterThanOrEqual(at + 24 * 3_600_000)
    expect(fields.toString('latin1')).not.toMatch(/Wintersmith|2244|Harbour/)
    const [notice, ...others] = await mailbox(api, user.username)
    expect([notice?.kind, notice?.text.includes('**** 2244')]).toEqual(['notice:card_changed', true])
    // The first card, and the card of another bank.
    expect(others.filter(({ kind }) => kind === 'notice:card_changed')).toHaveLength(2)
    for (const text of [notice?.text, JSON.stringify(await info())]) expect(text).not.toMatch(/622202|00112244/)
  })

  test('no field of a document is readable in the database or on the disk', async () => {
    const { db } = api.database
    const tables = await sql<{
      name: string
    }>`select table_name as name from information_schema.tables where table_schema = 'public'`.execute(db)
    for (const { name } of tables.rows) {
      const found = await sql<{ text: string }>`select t::text as text from ${sql.table(name)} t`.execute(db)
      for (const secret of [...paperSecrets, '6222020280112233'])
        expect(
          found.rows.filter(({ text }) => text.includes(secret) || text.includes(Buffer.from(secret).toString('hex'))),
          `${secret} in ${name}`,
        ).toEqual([])
    }
    const files = readdirSync(join(dataDir, 'uploads'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    expect(files.length).toBeGreaterThan(3)
    for (const file of files) expect(readFileSync(join(file.parentPath, file.name)).subarray(0, 8).includes('PNG')).toBe(false)
  })

  test('the demonstration account is fully verified, also one that is older than verification', async () => {
    const { db } = api.database
    const row = () => db.selectFrom('account').selectAll().where('email', '=', demoAccount.username).executeTakeFirstOrThrow()
    const made = await row()
    expect(made).toMatchObject({ level: 2, mobile: demoAccount.mobile, demo: true })
    await db.updateTable('account').set({ level: 0, mobile: null }).where('id', '=', made.id).execute()
    for (let start = 0; start < 2; start++) {
      await seedDemoAccount(api.database, await createHasher(), api.clock.now())
      expect(await row()).toEqual(made)
    }
    await db.updateTable('account').set({ level: 0, demo: false }).where('id', '=', made.id).execute()
    await seedDemoAccount(api.database, await createHasher(), api.clock.now())
    expect(await row()).toMatchObject({ level: 0, demo: false })
    await db.updateTable('account').set({ level: 2, demo: true }).where('id', '=', made.id).execute()
  })

  test('invited customers are listed without their identity', async () => {
    const ann = await makeUser(api)
    const bob = await makeUser(api, { extension_code: ann.invite_code, nickname: 'Bobby' })
    await makeUser(api, { extension_code: bob.invite_code, nickname: 'Cara', level: '1' })
    const ask = async (user: Made, query = '') =>
      dataOf<{ list: Record<string, unknown>[]; total: number; months: { month: string; invited: number }[] }>(
        await api.get(`/api/user/invited${query}`, bearing(user.token)),
      )
    const first = await ask(ann)
    expect(first).toMatchObject({ total: 1, list: [{ nickname: 'B***', level: 0 }], earned_usd: '0' })
    expect(first.months.map(({ invited }) => invited)).toEqual([...Array(11).fill(0), 1])
    expect(first.months.at(-1)!.month).toBe(new Date(api.clock.now()).toISOString().slice(0, 7))
    expect(await ask(ann, '?generation=2')).toMatchObject({ total: 1, list: [{ nickname: 'C***', level: 1 }] })
    expect(await ask(bob)).toMatchObject({ total: 1, list: [{ nickname: 'C***' }] })
    const text = JSON.stringify([first, await ask(ann, '?generation=2')])
    expect(text).not.toContain(String(bob.uid))
    expect(text).not.toMatch(/Bobby|Cara|@/)
  })
})
