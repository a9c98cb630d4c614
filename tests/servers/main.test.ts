import { existsSync, readFileSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { Manifest } from '#language/publish/release.ts'
import { standInFor } from '#tests/support/databases/engines.ts'
import { firstOf } from '#tests/support/house/sizes.ts'
import { type Answer, ask, listenTo } from '#tests/support/servers/http.ts'
import { launch, type Product, startProduct } from '#tests/support/servers/product.ts'

/** Data of a first start; each product of this file continues with it. */
let data = ''
const goOn = (env: Record<string, string> = {}) => startProduct({ DATA_DIR: data, ...env })
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'tessera-main-'))
})
afterAll(() => rm(data, { recursive: true, force: true }))

const open = (product: Product, request: string) =>
  new Promise<Socket>((resolve) => {
    const socket = connect(Number(new URL(product.origin).port), '127.0.0.1', () => socket.write(request, () => resolve(socket)))
    socket.on('error', () => undefined)
  })

describe('what is served', () => {
  let product: Product
  beforeAll(async () => {
    product = await goOn({ DRAIN_SECONDS: '600' })
  })
  afterAll(async () => void (await product.stop()))
  const get = (path: string, options: Parameters<typeof ask>[2] = {}) => ask(product.origin, path, options)

  function expectSafe(answer: Answer) {
    const policy = String(answer.headers['content-security-policy'])
    for (const part of ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]) expect(policy.split(';')).toContain(part)
    expect(policy).not.toMatch(/unsafe-/)
    expect(answer.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    })
    for (const name of ['x-powered-by', 'server', 'strict-transport-security', 'set-cookie']) expect(answer.headers[name]).toBeUndefined()
    if (answer.body.length && answer.status !== 304)
      expect(answer.headers['content-type']).toMatch(/charset=utf-8|^image\/(?:png|webp|jpeg)/)
  }

  test('prints its addresses and exactly one ready line', () => {
    const output = product.output()
    expect(output.match(/^ready http:\/\/127\.0\.0\.1:\d+\/$/gm)).toHaveLength(1)
    for (const path of ['/', '/console/#/setup/', '/config/manifest', '/openapi.json', '/health'])
      expect(output).toMatch(new RegExp(`${product.origin}${path}\\S*\n`))
  })

  test('page, scripts and styles: nothing inline, nothing from other origins, no source maps', async () => {
    const page = await get('/')
    expect(page.status).toBe(200)
    expectSafe(page)
    expect(page.headers['cache-control']).toBe('no-cache')
    // Customers scan the QR code of an address; no other device feature is used.
    expect(page.headers['permissions-policy']).toMatch(/camera=\(self\)/)
    expect(page.headers['permissions-policy']).toMatch(/microphone=\(\)/)
    expect(page.text).not.toMatch(/<style|<script(?![^>]*\ssrc=)|\son\w+=|https?:\/\//)
    const files = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!)
    expect(files.some((file) => file.endsWith('.js'))).toBe(true)
    for (const file of files) {
      expect(file).toMatch(/^\//)
      const answer = await get(file, { headers: { 'accept-encoding': 'br' } })
      expect(answer.status).toBe(200)
      expectSafe(answer)
      if (file.startsWith('/assets/')) expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable')
      expect((await get(`${file}.map`)).status).toBe(404)
      if (file.endsWith('.js')) expect((await get(file)).text).not.toMatch(/sourceMappingURL|\beval\(|new Function\(/)
    }
  })

  const rows: [path: string, status: number, type: RegExp, options?: Parameters<typeof ask>[2]][] = [
    ['/config/manifest?locale=fr', 200, /json/],
    ['/config/nothing', 404, /json/],
    ['/api/nothing', 404, /json/],
    ['/api', 404, /json/],
    ['/api/common/getSiteConfig', 200, /json/],
    ['/openapi.json', 200, /json/],
    ['/health', 200, /json/],
    ['/live', 200, /json/],
    ['/ready', 200, /json/],
    ['/ready/', 404, /plain/],
    ['/ready', 404, /plain/, { method: 'POST', body: 'x' }],
    ['/icon.svg', 200, /svg/],
    ['/nothing', 404, /plain/],
    ['/pages/market/market', 404, /plain/],
    ['/gallery', 404, /plain/],
    ['/apiary', 404, /plain/],
    ['/configuration', 404, /plain/],
    ['/index.html', 404, /plain/],
    ['/package.json', 404, /plain/],
    ['/../package.json', 404, /plain/],
    ['/%2e%2e/package.json', 404, /plain/],
    ['/assets/../../server/main.js', 404, /plain/],
    ['/.git/HEAD', 404, /plain/],
    ['/test/release', 404, /plain/],
    ['/test/clock', 404, /plain/],
    ['/', 405, /plain/, { method: 'POST', body: 'x' }],
    ['/config/manifest', 405, /json/, { method: 'DELETE' }],
    ['/api/common/getPageSet', 400, /json/, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' }],
  ]
  test.for(rows)('%s answers %i with all headers', async ([path, status, type, options]) => {
    const answer = await get(path, options)
    expect(answer.status).toBe(status)
    expect(answer.headers['content-type']).toMatch(type)
    expectSafe(answer)
    if (status >= 400) expect(answer.text).not.toMatch(/at \/|node_modules|\.ts:|\.js:\d/)
  })

  test('a document of the release is served on the same port', async () => {
    const { documents, release, hash } = (await get('/config/manifest')).json<Manifest>()
    const sha = documents['routes/routes']!.sha256
    expect((await get(`/config/documents/${sha}.json`)).json()).toMatchObject({ kind: 'routes' })
    const version = (JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version
    const build = readFileSync('dist/stamp', 'utf8').slice(0, 12)
    expect((await get('/health')).json()).toMatchObject({ release: `${release}-${hash}`, version, build })
  })

  test('a request that is not HTTP is refused and the next one is served', async () => {
    const port = Number(new URL(product.origin).port)
    const text = await new Promise<string>((resolve) => {
      let got = ''
      const socket = connect(port, '127.0.0.1', () => socket.write('NOT HTTP AT ALL\r\n\r\n'))
      socket.on('data', (part) => {
        got += part
      })
      socket.on('close', () => resolve(got))
    })
    expect(text).toMatch(/^HTTP\/1\.1 400 /)
    expect((await get('/health')).status).toBe(200)
  })

  test.for(firstOf(['SIGTERM', 'SIGINT'] as const, 1))(
    '%s with open streams, sockets, idle and half-sent requests exits with 0',
    async (signal) => {
      // The first one ends the product of the tests above.
      const ending = signal === 'SIGTERM' ? product : await goOn({ DRAIN_SECONDS: '600' })
      const stream = await listenTo(ending.origin, '/config/events')
      const feed = new WebSocket(`${ending.origin.replace('http', 'ws')}/ws`)
      await new Promise((done, fail) => feed.once('open', done).once('error', fail))
      const closed = new Promise((done) => feed.once('close', done))
      await open(ending, 'GET /health HTTP/1.1\r\nHost: a\r\n\r\n')
      await open(
        ending,
        'POST /api/common/getSetting HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\nkey',
      )
      ending.process.kill(signal)
      ending.process.kill(signal)
      // While it drains, it answers, and asks for no more.
      await expect.poll(async () => (await ask(ending.origin, '/ready')).json()).toMatchObject({ status: 'not_ready', draining: true })
      // The server has taken the first signal by now, however late it came.
      const drainedAt = performance.now()
      expect((await ask(ending.origin, '/ready')).status).toBe(503)
      expect((await ask(ending.origin, '/live')).json()).toEqual({ status: 'alive' })
      expect((await ask(ending.origin, '/api/common/getSiteConfig')).status).toBe(200)
      // A later signal ends the drain.
      await expect.poll(() => performance.now() - drainedAt, { interval: 50 }).toBeGreaterThan(1_000)
      ending.process.kill(signal)
      await Promise.all([stream.ended, closed])
      expect(await ending.ended).toBe(0)
      expect(ending.errors()).toBe('')
      await ending.stop()
    },
  )
})

test('test hooks: a broken document can be published and removed; the clock can be set; the first link can be written to a file', async () => {
  const link = join(data, 'first-operator')
  const folder = join(data, 'hooks')
  const database = await standInFor(folder, 'empty')
  const PUBLIC_URL = 'https://app.example.com'
  const product = await goOn({
    DATA_DIR: folder,
    TEST_HOOKS: '1',
    SETUP_LINK_FILE: link,
    PUBLIC_URL,
    ...(database && { DATABASE_URL: database }),
  })
  expect(product.output()).not.toContain('/setup/')
  expect(readFileSync(link, 'utf8')).toMatch(new RegExp(`^${PUBLIC_URL}/console/#/setup/\\S{20,}\n$`))
  expect((statSync(link).mode & 0o777).toString(8)).toBe('600')
  // Links for further operators begin with the public address too.
  const own = { 'x-console': '1', 'content-type': 'application/json' }
  const admin = { method: 'POST', headers: own, body: JSON.stringify({ name: 'ada', roles: ['administrator'] }) }
  const { cookie } = (await ask(product.origin, '/test/operator', admin)).json<{ cookie: string }>()
  const invite = { method: 'POST', headers: { ...own, cookie }, body: JSON.stringify({ name: 'bo', roles: ['viewer'] }) }
  const invited = await ask(product.origin, '/console/api/operators', invite)
  expect(invited.json<{ data: { link: string } }>().data.link).toMatch(new RegExp(`^${PUBLIC_URL}/console/#/setup/\\S{20,}$`))
  const foreign = { origin: 'https://evil.example' }
  for (const [path, method] of [
    ['/test/release', 'DELETE'],
    ['/test/operator', 'POST'],
  ] as const)
    expect((await ask(product.origin, path, { method, headers: foreign })).status, path).toBe(404)
  const before = (await ask(product.origin, '/config/manifest')).json<Manifest>()
  const body = JSON.stringify({ documents: { 'screen/home.home': { broken: true } } })
  const forced = await ask(product.origin, '/test/release', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  expect([forced.status, forced.json().release]).toEqual([200, before.release + 1])
  const restored = await ask(product.origin, '/test/release', { method: 'DELETE' })
  expect(restored.json()).toEqual({ release: before.release + 2, hash: before.hash })
  const clock = await ask(product.origin, '/test/clock', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'now=1000000000000',
  })
  expect(clock.json()).toMatchObject({ code: 1 })
  await product.stop()
})

describe('ending', () => {
  test('a second signal stops at once', { tags: 'full' }, async () => {
    const product = await goOn()
    await open(
      product,
      'POST /api/common/getSetting HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\nkey',
    )
    product.process.kill('SIGTERM')
    await new Promise((done) => setTimeout(done, 1_500))
    product.process.kill('SIGTERM')
    expect(await product.ended).toBe(1)
    await product.stop()
  })
})

describe('starting', () => {
  const rows: [string, Record<string, string>, RegExp][] = [
    ['a port that is none', { PORT: 'eighty' }, /^These settings are wrong:\n {2}PORT: /],
    ['several at once', { PORT: '70000', LOG_LEVEL: 'loud' }, /PORT: [\s\S]*LOG_LEVEL: /],
    ['test hooks for everybody', { TEST_HOOKS: '1', HOST: '0.0.0.0' }, /TEST_HOOKS: only with HOST on a loopback address/],
    ['a database address of another kind', { DATABASE_URL: 'mysql://x/y' }, /DATABASE_URL: /],
  ]
  test.for(firstOf(rows, 2))('%s is reported, with exit code 78', async ([, env, said]) => {
    const product = await launch(env)
    expect(await product.ended).toBe(78)
    expect(product.errors()).toMatch(said)
    expect(product.errors()).not.toMatch(/\n\s+at /)
    expect(product.output()).not.toMatch(/^ready/m)
    await product.stop()
  })

  test('a port in use is reported, and the data is unchanged', { tags: 'full' }, async () => {
    const first = await goOn()
    const DATA_DIR = join(data, 'second')
    const second = await launch({ PORT: new URL(first.origin).port, DATA_DIR })
    expect(await second.ended).toBe(1)
    expect(second.errors()).toMatch(/is taken; set PORT/)
    // Nothing was opened or created before the check.
    expect(existsSync(DATA_DIR)).toBe(false)
    await second.stop()
    await first.stop()
  })
})
