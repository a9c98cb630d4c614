import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type * as z from 'zod'
import type { CallRow } from '#contract/call.ts'
import { type CallName, contract } from '#contract/contract.ts'
import { badInputs, badTexts, nameOf } from '#tests/support/bad-inputs.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { eventually } from '#tests/support/eventually.ts'
import { everyNth } from '#tests/support/house/sizes.ts'
import { inputs, preparedInputs } from '#tests/support/right-inputs.ts'
import { startApi, type TestApi } from '#tests/support/servers/api.ts'
import { envelopeOf, refusal } from '#tests/support/servers/envelope.ts'
import { type Answer, ask } from '#tests/support/servers/http.ts'

/** Multipart bodies have a table of their own, in api-server/upload/. */
const rows = (Object.entries(contract) as [CallName, CallRow][]).filter(([, row]) => !row.upload)
/** Calls of which `npm test` asks everything; of the others it asks what differs between calls. */
const sampled = new Set(everyNth(rows, 5).map(([name]) => name))
const size = (name: CallName) => (sampled.has(name) ? {} : { tags: 'full' as const })
const plain = rows.filter(([name]) => !Object.hasOwn(preparedInputs, name))
const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString()

onEngines('api', (engine) => {
  let api: TestApi
  beforeAll(async () => {
    // A price grows old by the clock, and answers that are compared must not differ by that.
    api = await startApi({ place: await engine.place(), standing: true })
    token = envelopeOf(await api.post('/test/user')).data!.token as string
    // Quotes are refused without a recent price, also when a single test runs.
    expect(envelopeOf(await tick('50000.01')).code).toBe(1)
  })
  afterAll(() => api?.close())
  let token = ''
  const tick = (price: string) => api.post('/test/tick', { symbol: 'BTCUSDT', price })

  function send(row: CallRow, fields: string, more: Record<string, string> = {}): Promise<Answer> {
    const path = `/api${row.path}`
    const headers = { ...(row.auth === 'user' && { authorization: token }), ...more }
    return row.method === 'GET' ? api.get(fields ? `${path}?${fields}` : path, headers) : api.post(path, fields, headers)
  }

  test('prices can be pushed, and only multiples of the price step', async () => {
    expect(refusal(await tick('50000.001'))).toBe('400 parameter_error price')
    const { data } = envelopeOf(await api.get('/api/currency/list'))
    expect(data).toMatchObject({ list: [{ rate: '50000.01' }, ...Array(6).fill({})] })
  })

  test('a script without any part of the product checks a settlement from outside', async () => {
    const noon = Date.parse('2026-01-02T12:00:00Z')
    const push = async (symbol: string, price: string, second: number) =>
      expect(envelopeOf(await api.post('/test/tick', { symbol, price, time: String(noon + second * 1_000) })).code).toBe(1)
    for (const [at, price] of ['3000.00', '3010.00', '3020.00', '3030.00'].entries()) await push('ETHUSDT', price, at)
    await eventually(
      async () => (envelopeOf(await api.get('/api/market/dayEnds')).data as { last: { tick_id: number } }).last.tick_id,
    ).toBeGreaterThanOrEqual(5)
    const { list } = envelopeOf(await api.get('/api/market/ticks?from=1&limit=500')).data as { list: { tick_id: number; price: string }[] }
    const numberOf = (price: string) => list.find((one) => one.price === price)!.tick_id
    /** Passes on what the server answers, with one price changed. */
    const liar = createServer(async (asked, answer) =>
      answer.end((await api.get(asked.url!)).text.replaceAll('"price":"3020.00"', '"price":"3019.00"')),
    )
    await new Promise<void>((done) => liar.listen(0, '127.0.0.1', done))
    const run = (origin: string, ...args: (string | number)[]) =>
      new Promise<string>((done) =>
        execFile(process.execPath, ['docs/guides/check-a-settlement.mjs', origin, ...args.map(String)], (error, stdout) =>
          done(`${error?.code ?? 0} ${stdout.trim()}`),
        ),
      )
    const [first, second, third] = ['3000.00', '3010.00', '3020.00'].map(numberOf) as [number, number, number]
    const end = noon + 1_500
    const right = /^0 right: ETHUSDT 3010.00, number \d+; the chain is whole up to \d+; its day has not ended yet$/
    try {
      expect(await run(api.origin, 'last', second, end)).toMatch(right)
      expect(await run(api.origin, 'last', first, end)).toBe(`1 WRONG unless it came after the settlement: ${second} is later`)
      expect(await run(api.origin, 'last', third, end)).toBe('1 WRONG: the price is later than the end')
      expect(await run(api.origin, 'first', second, first, 'up', '3005')).toMatch(right)
      expect(await run(api.origin, 'first', third, first, 'up', '3005')).toMatch(
        /^1 WRONG unless the market was closed or halted: \d+ reached 3005 first$/,
      )
      expect(await run(api.origin, 'first', second, first, 'down', '3005')).toBe('1 WRONG: 3010.00 does not reach 3005')
      expect(await run(`http://127.0.0.1:${(liar.address() as AddressInfo).port}`, 'last', second, end)).toBe(
        `1 WRONG: the chain breaks at ${third}`,
      )
      expect(await run(api.origin, 'last', 999_999, end)).toBe('2 the log has no number 999999 yet')
      expect(await run(api.origin, 'latest', second)).toMatch(/^2 usage: /)
    } finally {
      liar.close()
    }
  })

  test('every answer says the time of the server, refusals too', async () => {
    const answers = [await api.get('/api/currency/list'), await api.get('/api/user/info'), await api.get('/api/nothing')]
    expect(answers.map(({ headers }) => Number(headers['x-time']))).toEqual([api.clock.now(), api.clock.now(), api.clock.now()])
  })

  const keyed = rows.filter(([, row]) => row.keyed)
  test.each(keyed)('%s refuses a name that it does not know, and names it', async (name, row) => {
    const right = inputs[name] as Record<string, string>
    const known = { lang: 'en', agent_id: 'tests', ...Object.fromEntries((row.ignored ?? []).map((one) => [one, '1'])) }
    const named = new Set([...Object.keys((row.input as z.ZodObject).shape), ...Object.keys(known)])
    for (const wrong of ['lot', 'matchid', 'stop_los_price', 'uid', 'constructor']) {
      expect(named).not.toContain(wrong)
      const answer = await send(row, form(Object.fromEntries([...Object.entries({ ...right, ...known }), [wrong, '1']])))
      expect(refusal(answer)).toBe(`400 parameter_unknown ${wrong}`)
      expect(envelopeOf(answer).msg).toBe(`Not known here: ${wrong}. Nothing was done.`)
    }
    const two = await send(row, form({ ...right, lot: '1', matchid: '1', lang: 'fr' }))
    expect(envelopeOf(two).msg).toBe('Champ inconnu : lot, matchid. Rien n’a été fait.')
    expect(refusal(await send(row, form(known)))).not.toContain('parameter_unknown')
  })
  test('a call that only reads ignores a name that it does not know', async () => {
    expect((await send(contract['lever.orderList'], 'statis=history')).status).toBe(200)
  })

  describe.each(plain)('%s', (name, row) => {
    const right = form(inputs[name])

    test('answers with the fields of its row in the contract, and no others', async () => {
      const { code, data } = envelopeOf(await send(row, right))
      expect(code).toBe(1)
      expect(row.output.parse(data)).toEqual(data)
    })
    test('answers in each language, and in English for an unknown one', size(name), async () => {
      const english = (await send(row, right)).text
      for (const { value } of badTexts('lang', 'path').filter(({ note }) => !note.startsWith('accept as es')))
        expect((await send(row, `${right}&${form({ lang: value })}`)).status).toBe(value.includes('\0') ? 400 : 200)
      if (!name.startsWith('market.')) expect((await send(row, `${right}&lang=zz`)).text).toBe(english)
      for (const lang of ['zh', 'hk', 'th', 'ja', 'ko', 'fr', 'es']) expect((await send(row, `${right}&lang=${lang}`)).status).toBe(200)
    })
    test(`${row.keyed ? 'refuses' : 'ignores'} unknown fields, including member names of Object.prototype`, size(name), async () => {
      const more = '__proto__=1&__proto__[x]=1&constructor[prototype][x]=1&toString=1&hasOwnProperty=1&user_id=2&uid=2'
      expect(envelopeOf(await send(row, [right, more].filter(Boolean).join('&'))).code).toBe(row.keyed ? 4003 : 1)
      expect(({} as { x?: unknown }).x).toBeUndefined()
    })
  })

  describe.each(rows)('%s', (name, row) => {
    const right = form(inputs[name])

    if (row.auth === 'user')
      test('refuses visitors, whatever they send', async () => {
        for (const authorization of ['', '0', 'Bearer', 'null', token.toUpperCase()])
          for (const fields of [right, '']) expect(refusal(await send(row, fields, { authorization }))).toBe('401 unauthorized')
      })
    test('refuses every other method', size(name), async () => {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'].filter((one) => one !== row.method)) {
        const answer = await ask(api.origin, `/api${row.path}`, { method, headers: { 'content-length': '0' } })
        expect(refusal(answer), method).toBe('405 method_not_allowed')
        expect(answer.headers.allow, method).toBe(row.method === 'GET' && row.auth === 'none' ? 'GET, HEAD' : row.method)
      }
    })
    test('refuses repeated fields, deep JSON, NUL and invalid UTF-8', size(name), async () => {
      const deep = form({ note: '['.repeat(33) + ']'.repeat(33) })
      const noText = row.method === 'GET' ? '400 parameter_error note' : '400 body_unreadable'
      for (const [text, refused] of [
        ['lang=en&lang=ja', '400 parameter_error lang'],
        [deep, '400 parameter_error note'],
        ['note=%00', '400 parameter_error note'],
        ['note=%ff%fe', noText],
      ] as const)
        expect(refusal(await send(row, [right, text].filter(Boolean).join('&'))), text).toBe(refused)
    })
    test('refuses an input without required fields', async () => {
      const required = Object.keys(inputs[name])
      for (const field of required) {
        const { [field]: _left, ...rest } = inputs[name]
        expect(refusal(await send(row, form(rest))), field).toBe(`400 parameter_missing ${field}`)
      }
    })
    if (row.method === 'POST')
      test('refuses bodies of other types, and large bodies', size(name), async () => {
        for (const type of [
          'application/json',
          'text/plain',
          'multipart/form-data; boundary=x',
          'application/x-www-form-urlencoded; charset=utf-16',
          'nonsense',
        ])
          expect(refusal(await send(row, '{"a":1}', { 'content-type': type })), type).toBe('400 body_unreadable')
        expect(refusal(await send(row, `note=${'a'.repeat(200_000)}`))).toBe('413 body_too_large')
        expect(refusal(await send(row, Array.from({ length: 101 }, (_, i) => `k${i}=1`).join('&')))).toBe('400 parameter_error')
      })
  })

  const detail = '/api/news/getNewsDetail'
  test.each(
    badTexts('int-id', 'num-format', 'num-sign', 'num-special', 'num-precision', 'num-unicode').map(
      (line) => [nameOf(line), line] as const,
    ),
  )('as an id: %s', async (_name, { value }) => {
    for (const [path, field] of [
      [detail, 'nid'],
      ['/api/news/list', 'c_id'],
    ] as const) {
      const answer = await api.post(path, { [field]: value })
      const { code } = envelopeOf(answer)
      if (/^[1-9]\d{0,9}$/.test(value) && Number(value) <= 2_000_000_000) expect([200, 404]).toContain(answer.status)
      else expect(code).not.toBe(1)
      expect(answer.status).toBeLessThan(500)
    }
  })
  test.each(badInputs('paging').map((line) => [nameOf(line), line] as const))('as a page: %s', async (_name, { value }) => {
    const pairs = Object.entries(value as Record<string, string | string[]>).flatMap(([key, texts]) =>
      [texts].flat().map((text) => `${key}=${encodeURIComponent(text)}`),
    )
    expect((await api.post('/api/news/getList', `type=news&${pairs.join('&')}`)).status).toBe(400)
  })
  test.each(badTexts('enum').map((line) => [nameOf(line), line] as const))('as a kind: %s', async (_name, { value }) => {
    expect(refusal(await api.post('/api/news/getList', { type: value }))).toBe('400 parameter_error type')
    expect(refusal(await api.post('/api/market/kline', { symbol: 'BTCUSDT', period: value }))).toBe('400 parameter_error period')
    expect([400, 404]).toContain((await api.post('/api/common/getPageSet', { type: value })).status)
  })
  test.each(
    badTexts('text-control', 'text-unicode', 'text-length', 'xss', 'sql', 'log', 'csv', 'path', 'regex', 'url').map(
      (line) => [nameOf(line), line] as const,
    ),
  )('as a word: %s', async (_name, { value }) => {
    for (const [path, field] of [
      ['/api/common/getSetting', 'keyword'],
      ['/api/market/getQuota', 'match_id'],
      ['/api/market/kline', 'symbol'],
    ] as const) {
      const body = form({ [field]: value, period: '1m' })
      const answer = await api.post(path, body)
      expect(envelopeOf(answer).code).not.toBe(1)
      expect(answer.status).toBeLessThan(500)
      expect(answer.text).not.toContain(value.length > 12 ? value : '\0')
    }
  })
  test.each(badTexts('form-body').map((line) => [nameOf(line), line] as const))('as a body: %s', async (_name, { value, note }) => {
    const answer = await api.post(detail, value.replaceAll('amount', 'nid'))
    const { code } = envelopeOf(answer)
    expect(answer.status).toBeLessThan(500)
    const known = /(^|&)nid=1(&|$)/.test(value.replaceAll('amount', 'nid'))
    if (note.startsWith('refuse') && !known) expect(code).not.toBe(1)
    expect(({} as { x?: unknown }).x).toBeUndefined()
  })
  test.each(badTexts('json-body').map((line) => [nameOf(line), line] as const))('as JSON, twice: %s', async (_name, { value }) => {
    for (let time = 0; time < 2; time++) {
      expect(refusal(await api.post(detail, value, { 'content-type': 'application/json' }))).toMatch(
        /^(400 body_unreadable|413 body_too_large)$/,
      )
      expect((await api.post(detail, { nid: value })).status).toBeLessThan(500)
    }
    expect(({} as { x?: unknown }).x).toBeUndefined()
  })
  test.each(badInputs('http-header').map((line) => [nameOf(line), line] as const))('with a header: %s', async (_name, { value }) => {
    const headers = value as Record<string, string>
    const answer = await api.get('/api/menu', headers)
    expect(envelopeOf(answer).code).toBe(1)
    expect(answer.text).not.toContain('evil.example')
    const type = Object.keys(headers).some((key) => /^content-/i.test(key))
    const posted = await api.post(
      '/api/faq',
      'a=1',
      Object.fromEntries(Object.entries(headers).map(([key, text]) => [key.toLowerCase(), text])),
    )
    expect(posted.status).toBe(type ? 400 : 200)
    expect(posted.headers.location).toBeUndefined()
  })
  test.each(badTexts('http-method').map((line) => [nameOf(line), line] as const))('as a request: %s', async (_name, { value }) => {
    const [method = '', path = ''] = value.split(' ')
    const answer = await ask(api.origin, path, { method, headers: { 'content-length': '0' } })
    if (path === '/api/user/logout') {
      expect((await ask(api.origin, path, { method, headers: { authorization: token } })).status).toBe(405)
      return void expect((await api.get('/api/user/info', { authorization: token })).status).toBe(200)
    }
    if (path === '/api/wallet/withdraw') return void expect(refusal(answer)).toBe('405 method_not_allowed')
    expect(answer.status).toBe(404)
    if (method !== 'HEAD') expect(refusal(answer)).toBe('404 not_found')
  })

  test('the message of a refusal is in the language of the request', async () => {
    const japanese = envelopeOf(await api.post(detail, { nid: 'x', lang: 'ja' })).msg
    expect(japanese).toMatch(/[ぁ-ん]/)
    expect(envelopeOf(await api.post(detail, { nid: 'x' }, { lang: 'ja' })).msg).toBe(japanese)
    expect(envelopeOf(await api.get('/api/nope', { lang: 'ja' })).msg).toMatch(/[ぁ-ん]/)
    expect(envelopeOf(await api.post(detail, 'nid=1&nid=2&lang=ja')).msg).toBe(japanese)
  })
  test('HEAD answers as GET, without the body', async () => {
    const [get, head] = [await api.get('/api/menu'), await ask(api.origin, '/api/menu', { method: 'HEAD' })]
    expect(head.status).toBe(200)
    expect(head.headers['content-length']).toBe(get.headers['content-length'])
    expect(head.body.length).toBe(0)
  })
  test('health reports database and feed; openapi has every call; metrics count by call and outcome', async () => {
    const well = { status: 'ok', database: 'up', feed: 'up', disk: 'up', ledger: 'sound', version: '0.8.0' }
    expect((await api.get('/health')).json()).toEqual(well)
    const { paths } = (await api.get('/openapi.json')).json<{ paths: Record<string, Record<string, { operationId: string }>> }>()
    const named = Object.values(paths).flatMap((methods) => Object.values(methods).map((one) => one.operationId))
    expect(named.sort()).toEqual(Object.keys(contract).sort())
    await api.get('/api/menu')
    await api.post(detail, { nid: 'x' })
    const metrics = (await api.get('/metrics')).text
    expect(metrics).toMatch(/tessera_http_seconds_count\{call="common.menu",outcome="ok"\} \d+/)
    expect(metrics).toMatch(/tessera_http_seconds_count\{call="news.getNewsDetail",outcome="parameter_error"\} \d+/)
    for (const name of ['tessera_db_waiting', 'tessera_event_loop_delay_p99_seconds', 'tessera_memory_bytes'])
      expect(metrics).toContain(`\n${name} `)
    for (const mark of [{ 'x-forwarded-for': '203.0.113.9' }, { via: '1.1 proxy' }, { host: 'app.example.com' }] as Record<
      string,
      string
    >[])
      expect(refusal(await api.get('/metrics', mark)), JSON.stringify(mark)).toBe('403 forbidden')
  })
  test('test hooks refuse proxies and pages of other sites', async () => {
    const strange: Record<string, string>[] = [
      { 'x-real-ip': '203.0.113.9' },
      { host: 'app.example.com' },
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
    ]
    for (const headers of strange) {
      expect(refusal(await api.get('/test/outbox', headers)), JSON.stringify(headers)).toBe('404 not_found')
      expect(refusal(await api.post('/test/clock', { now: '1' }, headers)), JSON.stringify(headers)).toBe('404 not_found')
    }
    expect(envelopeOf(await api.get('/test/outbox')).code).toBe(1)
  })
  test('a replayed answer is marked; a first answer and a refusal are not', async () => {
    const { token, uid } = envelopeOf(await api.post('/test/user')).data as { token: string; uid: number }
    const send = (path: string, fields: Record<string, string>, key: string) =>
      api.post(`/api${path}`, fields, { authorization: token, 'idempotency-key': key })
    const replayed = (answer: Answer) => answer.headers['idempotent-replayed']
    const money = { amount: '1', currency_id: '3', from: 'change', to: 'lever' }
    await api.post('/test/credit', { user: String(uid), currency: '3', amount: '5' })
    for (const [path, fields, other] of [
      [contract['wallet.transfer'].path, money, { ...money, amount: '2' }],
      [contract['user.editNickname'].path, { nickname: 'first' }, { nickname: 'second' }],
    ] as const) {
      const [first, again] = [await send(path, fields, path), await send(path, fields, path)]
      expect([first.status, again.text, replayed(first), replayed(again)]).toEqual([200, first.text, undefined, 'true'])
      const refused = await send(path, other, path)
      expect([refusal(refused), replayed(refused)]).toEqual(['409 key_reused', undefined])
    }
  })
  const transfer = { from: 'change', to: 'lever', currency_id: '3' }
  const mendable: [what: string, path: string, wrong: Record<string, string>, refused: string, right: Record<string, string>][] = [
    ['state of the account', '/wallet/transfer', { ...transfer, amount: '1' }, '409 insufficient_balance', { ...transfer, amount: '1' }],
    [
      'a field, where the call moves money',
      '/wallet/transfer',
      { ...transfer, amount: '0' },
      '400 amount_wrong amount',
      { ...transfer, amount: '1' },
    ],
    ['a field, where it does not', '/user/addOptional', { symbol: 'NONE' }, '404 symbol_unknown symbol', { symbol: 'BTCUSDT' }],
  ]
  test.each(mendable)(
    'a refusal does not use up a key: the corrected %s is executed with the same key',
    async (_what, path, wrong, refused, right) => {
      const { token, uid } = envelopeOf(await api.post('/test/user')).data as { token: string; uid: number }
      const send = async (fields: Record<string, string>) => {
        const answer = await api.post(`/api${path}`, fields, { authorization: token, 'idempotency-key': 'one-key' })
        return [answer.status === 200 ? 'done' : refusal(answer), answer.headers['idempotent-replayed']]
      }
      expect([await send(wrong), await send(wrong)]).toEqual([
        [refused, undefined],
        [refused, undefined],
      ])
      await api.post('/test/credit', { user: String(uid), currency: '3', amount: '5' })
      expect([await send(right), await send(right)]).toEqual([
        ['done', undefined],
        ['done', 'true'],
      ])
    },
  )
  test('the clock of the server can be set, and continues from there', async () => {
    const wanted = 1_900_000_000_000
    const before = api.clock.now()
    expect(envelopeOf(await api.post('/test/clock', { now: String(wanted) })).data).toEqual({ now: wanted })
    expect(api.clock.now() - wanted).toBeLessThan(10_000)
    // Old rates are answered at once, while new ones are fetched.
    const savedAt = async () => Number(envelopeOf(await api.get('/api/wallet/getRateCurrency')).data?.saveTime)
    await eventually(savedAt).toBeGreaterThanOrEqual(wanted)
    await api.post('/test/clock')
    expect(api.clock.now() - before).toBeLessThan(60_000)
    expect(refusal(await api.post('/test/clock', { now: '-1' }))).toBe('400 parameter_error now')
  })
  test('the requests above have not changed the content', async () => {
    const counts =
      await sql`select (select count(*) from content_text where owner like 'article:%') as texts, (select count(*) from article) as articles,
      (select count(*) from setting) as settings`.execute(api.database.db)
    expect(counts.rows[0]).toEqual({ texts: 11 * 3 * 8, articles: 11, settings: 8 })
  })
})
