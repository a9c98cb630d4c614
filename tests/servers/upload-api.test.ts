import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoAccount } from '#api-server/account/demo.ts'
import { layEmptyDatabase } from '#tests/support/databases/empty-database.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { startApi, type TestApi } from '#tests/support/servers/api.ts'
import { envelopeOf, refusal } from '#tests/support/servers/envelope.ts'
import { boundary, multipart, type Part, png, sendBytes } from '#tests/support/servers/upload-stage.ts'

const { username, password } = demoAccount
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const small = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#06c' } })
  .png()
  .toBuffer()

onEngines('uploads and favourites of an account', (engine) => {
  let api: TestApi
  let token: string
  const login = async () => String(envelopeOf(await api.post('/api/user/login', { username, password })).data?.token)
  const upload = (parts: readonly Part[], as = token) => {
    const body = multipart(parts)
    const type = { 'content-type': `multipart/form-data; boundary=${boundary}`, 'content-length': String(body.length) }
    return sendBytes(api.origin, '/api/common/upload', body, { ...type, ...bearer(as) })
  }
  const sent = async () => String(envelopeOf(await upload([png(small)])).data?.url)
  /** Another account than the demonstration account, and its token. */
  async function another(): Promise<string> {
    const { accounts } = api.api
    const row = await api.database.db.selectFrom('account').selectAll().executeTakeFirstOrThrow()
    const id = row.id + 1_000
    const own = { ...row, id, email: 'other@example.com', mobile: null, invite_code: 'other', demo: false, head_portrait: '' }
    await api.database.db.insertInto('account').values(own).execute()
    const caller = { lang: 'en', token: undefined, agent: '', ip: '' }
    return (await api.database.transaction((tx) => accounts.sessions.open(tx, id, caller))).token
  }

  beforeAll(async () => {
    api = await startApi({ place: await engine.place() })
    token = await login()
  })
  afterAll(() => api?.close())

  test('a profile picture must be the own upload, becomes public, and replaces the previous one', { tags: 'full' }, async () => {
    const other = await another()
    const portrait = (url: string, as = token) => api.post('/api/user/uploadHeadPortrait', { url }, bearer(as))
    const shown = async () => envelopeOf(await api.get('/api/user/info', bearer(token))).data?.head_portrait
    const [first, second, kept] = [await sent(), await sent(), await sent()]
    for (const url of ['/icon.svg', 'https://evil.example/x.png', 'javascript:alert(1)', `${first}?x`, `/api/upload/${'0'.repeat(40)}`])
      expect(refusal(await portrait(url)), url).toBe('404 not_found url')
    expect(refusal(await portrait(first, other))).toBe('404 not_found url')
    expect(await shown()).toBe('')
    expect(refusal(await api.get(first))).toBe('404 not_found')
    expect(envelopeOf(await portrait(first)).data).toEqual({ head_portrait: first })
    expect(await shown()).toBe(first)
    expect((await api.get(first)).headers['content-type']).toBe('image/png')
    for (let twice = 0; twice < 2; twice++) expect(envelopeOf(await portrait(second)).data).toEqual({ head_portrait: second })
    expect(await shown()).toBe(second)
    expect(refusal(await api.get(first))).toBe('404 not_found')
    expect((await api.get(second)).status).toBe(200)
    expect((await api.get(kept, bearer(token))).status).toBe(200)
    expect(refusal(await api.get(kept, bearer(other)))).toBe('404 not_found')
  })

  test('an ended session sees no private picture and cannot upload', async () => {
    const own = await login()
    const url = String(envelopeOf(await upload([{ name: 'purpose', content: 'identity' }, png(small)], own)).data?.url)
    expect((await api.get(url, bearer(own))).status).toBe(200)
    await api.get('/api/user/logout', bearer(own))
    expect(refusal(await api.get(url, bearer(own)))).toBe('404 not_found')
    expect(refusal(await upload([png(small)], own))).toBe('401 unauthorized')
    expect((await api.get(url, bearer(token))).status).toBe(200)
  })

  test('favourites show their quotes in the order in which they were added', async () => {
    const change = (name: string, symbol: string) => api.post(`/api/user/${name}`, { symbol }, bearer(token))
    for (const [symbol, price] of [
      ['ETHUSDT', '3000'],
      ['BTCUSDT', '50000'],
    ] as const) {
      await api.post('/test/tick', { symbol, price })
      expect((await change('addOptional', symbol)).status).toBe(200)
    }
    expect(refusal(await change('addOptional', 'NOSUCHUSDT'))).toBe('404 symbol_unknown symbol')
    const { data } = envelopeOf(await api.get('/api/user/getOptionalList', bearer(token)))
    expect(data).toMatchObject({ list: [{ symbol: 'ETHUSDT', quote24h: { last: '3000.00' } }, { symbol: 'BTCUSDT' }] })
    expect(envelopeOf(await change('delOptional', 'ETHUSDT')).data).toEqual({ symbols: ['BTCUSDT'] })
    for (const path of ['addOptional', 'delOptional'])
      expect(refusal(await api.post(`/api/user/${path}`, { symbol: 'BTCUSDT' }))).toBe('401 unauthorized')
    expect(refusal(await api.get('/api/user/getOptionalList'))).toBe('401 unauthorized')
  })

  test('OpenAPI describes the multipart body', async () => {
    const { paths } = (await api.get('/openapi.json')).json<{ paths: Record<string, { post: { requestBody: { content: object } } }> }>()
    expect(paths['/api/common/upload']?.post.requestBody.content).toMatchObject({
      'multipart/form-data': { schema: { required: ['file'], properties: { file: { format: 'binary' }, purpose: {} } } },
    })
  })
})

onEngines('many concurrent uploads', (engine) => {
  let api: TestApi
  const ask = (body: Buffer, token: string) => {
    const headers = { 'content-type': `multipart/form-data; boundary=${boundary}`, 'content-length': String(body.length), ...bearer(token) }
    return sendBytes(api.origin, '/api/common/upload', body, headers)
  }
  let token: string
  beforeAll(async () => {
    api = await startApi({ place: await engine.place() })
    token = String(envelopeOf(await api.post('/api/user/login', { username, password })).data?.token)
  })
  afterAll(() => api?.close())

  test('logins are answered while four demanding pictures are processed', { tags: 'full' }, async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 8 } as const
    const hard = await sharp({ create: { width: 5_000, height: 5_000, channels: 3, background: '#888', noise } })
      .webp({ quality: 10 })
      .toBuffer()
    expect(hard.length).toBeLessThan(5_000_000)
    const body = multipart([{ name: 'file', filename: 'x.webp', type: 'image/webp', content: hard }])
    const tokens = await Promise.all(
      [0, 1].map(async () => String(envelopeOf(await api.post('/api/user/login', { username, password })).data?.token)),
    )
    let done = false
    const flood = Promise.all([token, token, ...tokens].map((one) => ask(body, one))).finally(() => {
      done = true
    })
    let logins = 0
    while (!done && logins < 40) {
      expect((await api.post('/api/user/login', { username, password })).status).toBe(200)
      logins++
      await sleep(100)
    }
    const answers = await flood
    // One account may have three uploads at once; on a busy machine one may time out.
    for (const { status } of answers) expect([200, 413, 429]).toContain(status)
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(1)
    expect(logins).toBeGreaterThan(3)
  })

  test('refused bodies leave no memory behind', { tags: 'full' }, async () => {
    const bodies = [
      multipart(Array.from({ length: 2_000 }, () => png(small))),
      multipart([png(Buffer.concat([small, Buffer.alloc(15_000_000)]))]),
      multipart([png(small)], { closed: false }),
    ]
    const round = async () => {
      for (const body of bodies) expect((await ask(body, token)).status).toBeGreaterThanOrEqual(400)
    }
    for (let i = 0; i < 5; i++) await round()
    const before = process.memoryUsage().rss
    for (let i = 0; i < 10; i++) await round()
    expect(process.memoryUsage().rss - before).toBeLessThan(60_000_000)
  })
})

describe('the process of pictures in the built server', () => {
  // The build may be out of date.
  test('it stands beside the main file and works', { tags: 'full' }, async () => {
    const { startProduct } = await import('#tests/support/servers/product.ts')
    const DATA_DIR = layEmptyDatabase(await mkdtemp(join(tmpdir(), 'tessera-pictures-')))
    const product = await startProduct({ DATA_DIR })
    try {
      const form = new URLSearchParams({ username, password })
      const login = (await (await fetch(`${product.origin}/api/user/login`, { method: 'POST', body: form })).json()) as {
        data: { token: string }
      }
      const body = multipart([{ name: 'purpose', content: 'avatar' }, png(small)])
      const headers = { 'content-type': `multipart/form-data; boundary=${boundary}`, 'content-length': String(body.length) }
      const answer = await sendBytes(product.origin, '/api/common/upload', body, { ...headers, ...bearer(login.data.token) })
      expect(answer.text).toMatch(/^\{"code":1,/)
      const { url } = answer.json<{ data: { url: string } }>().data
      const back = await fetch(product.origin + url)
      expect(await sharp(Buffer.from(await back.arrayBuffer())).metadata()).toMatchObject({ format: 'png', width: 40, height: 40 })
    } finally {
      expect(await product.stop()).toBe(0)
      await rm(DATA_DIR, { recursive: true, force: true })
    }
  })
})
