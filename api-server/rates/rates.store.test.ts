import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { ratesHandlers, retryAfterMs } from '#api-server/rates/rates.handlers.ts'
import { ratesMigrations } from '#api-server/rates/rates.migration.ts'
import { embeddedProvider, httpProvider, type RatesProvider } from '#api-server/rates/rates.provider.ts'
import { ratesKeptMs } from '#api-server/rates/rates.rules.ts'
import { createRatesStore } from '#api-server/rates/rates.store.ts'
import type { Database } from '#server-kit/db/db.ts'
import { createSettableClock } from '#server-kit/ops/clock.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { onEngines } from '#tests/support/databases/engines.ts'

const caller = { lang: 'en', token: undefined, agent: '', ip: '127.0.0.1' }
const start = 1_800_000_000_000
const good = {
  data: [
    { currency_code: 'EUR', rate: '0.87' },
    { currency_code: 'JPY', rate: 152.5 },
    { currency_code: 'CHF', rate: '0.8' },
  ],
}

interface Stub {
  url: string
  asked: number
  answer: RequestListener
}
const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function stub(): Promise<Stub> {
  const host: Stub = { url: '', asked: 0, answer: (_req, res) => void res.end(JSON.stringify(good)) }
  const server = createServer((req, res) => {
    host.asked++
    host.answer(req, res)
  })
  servers.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  host.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/rates`
  return host
}

function serve(database: Database, provider: RatesProvider, pause?: (ms: number) => Promise<unknown>) {
  let now = start
  const clock = createSettableClock({ now: () => now })
  let failures = 0
  const log = createLog('warn', { write: () => void failures++ })
  const handlers = ratesHandlers({ store: createRatesStore(database), provider, clock, log, ...(pause && { pause }) })
  const later = (ms: number) => {
    now += ms
  }
  return { ask: async () => handlers['wallet.getRateCurrency']({}, caller), later, failures: () => failures }
}

onEngines('rates', (engine) => {
  test('rates are fetched once a day, by the server’s clock, also after a restart', async () => {
    const database = await engine.open(ratesMigrations)
    const host = await stub()
    const { ask, later } = serve(database, httpProvider(host.url))
    const [first] = await Promise.all([ask(), ask(), ask()])
    expect(first).toEqual({
      base: 'USD',
      saveTime: start,
      source: new URL(host.url).host,
      list: [
        { currency_code: 'USD', rate: '1' },
        { currency_code: 'JPY', rate: '152.5' },
        { currency_code: 'EUR', rate: '0.87' },
      ],
    })
    later(ratesKeptMs)
    expect(await ask()).toEqual(first)
    expect(await serve(database, httpProvider(host.url)).ask()).toEqual(first)
    expect(host.asked).toBe(1)
    later(1)
    // The first caller gets the old rates while new ones are fetched.
    expect(await ask()).toEqual(first)
    await expect.poll(async () => (await ask()).saveTime).toBe(start + ratesKeptMs + 1)
    expect(host.asked).toBe(2)
  })

  test('when the provider fails the stored rates stay in use with their own time, and the provider is not asked for a minute', async () => {
    const database = await engine.open(ratesMigrations)
    const host = await stub()
    const first = await serve(database, httpProvider(host.url)).ask()
    const { ask, later, failures: failed } = serve(database, httpProvider(host.url, 300))
    const failures: [name: string, answer: RequestListener][] = [
      ['500', (_req, res) => void res.writeHead(500).end('{}')],
      ['redirect', (_req, res) => void res.writeHead(302, { location: `${host.url}2` }).end()],
      ['no JSON', (_req, res) => void res.end('<html>')],
      ['no list', (_req, res) => void res.end('{"error":"limit"}')],
      ['nests too deep', (_req, res) => void res.end('['.repeat(50_000))],
      ['too large', (_req, res) => void res.end(JSON.stringify({ ...good, pad: 'x'.repeat(1_100_000) }))],
      ['silent', () => {}],
      ['cut off', (_req, res) => void res.writeHead(200, { 'content-length': '1000' }).write('{"da', () => res.destroy())],
    ]
    later(ratesKeptMs + 1)
    for (const [name, answer] of failures) {
      host.answer = answer
      const before = host.asked
      const failedBefore = failed()
      expect(await ask(), name).toEqual(first)
      await expect.poll(() => failed() - failedBefore, { message: name }).toBe(1)
      expect(await ask(), name).toEqual(first)
      expect(host.asked - before, name).toBe(1)
      later(retryAfterMs)
    }
    host.answer = (_req, res) => void res.end(JSON.stringify(good))
    const saveTime = async () => {
      later(retryAfterMs)
      return (await ask()).saveTime
    }
    await expect.poll(saveTime).toBeGreaterThan(first.saveTime)
  })

  test('a provider that hangs delays nobody while there are old rates', async () => {
    const database = await engine.open(ratesMigrations)
    const host = await stub()
    const never: RatesProvider = { source: new URL(host.url).host, fetch: () => new Promise(() => {}) }
    const first = await serve(database, httpProvider(host.url)).ask()
    const { ask, later } = serve(database, never)
    later(ratesKeptMs + 1)
    expect(await ask()).toEqual(first)
    expect(await ask()).toEqual(first)
  })

  test('without stored rates nobody waits longer than 1.5 s for a provider that hangs, and its answer counts when it comes', async () => {
    const database = await engine.open(ratesMigrations)
    let answer: (rates: Awaited<ReturnType<RatesProvider['fetch']>>) => void = () => {}
    let asked = 0
    const slow: RatesProvider = {
      source: 'slow',
      fetch: () => {
        asked++
        return new Promise((done) => {
          answer = done
        })
      },
    }
    const waits: number[] = []
    const { ask } = serve(database, slow, async (ms) => waits.push(ms))
    for (let i = 0; i < 3; i++) await expect(ask()).rejects.toMatchObject({ code: 'rates_unavailable', retryAfterSeconds: 2 })
    expect([waits, asked]).toEqual([[1_500, 1_500, 1_500], 1])
    answer({ source: 'slow', list: [{ currency_code: 'USD', rate: '1' }] })
    await expect.poll(() => ask().catch(() => undefined)).toMatchObject({ source: 'slow' })
    expect(asked).toBe(1)
  })

  test('without provider and stored rates the call fails with a clear problem; embedded rates are labelled and replaced by fetched ones', async () => {
    const database = await engine.open(ratesMigrations)
    const host = await stub()
    host.answer = (_req, res) => void res.writeHead(500).end()
    await expect(serve(database, httpProvider(host.url)).ask()).rejects.toMatchObject({ code: 'rates_unavailable' })
    const embedded = await serve(database, embeddedProvider).ask()
    expect(embedded.source).toBe('embedded')
    expect(embedded.list).toHaveLength(11)
    host.answer = (_req, res) => void res.end(JSON.stringify(good))
    const { ask } = serve(database, httpProvider(host.url))
    await expect.poll(async () => (await ask()).source).toBe(new URL(host.url).host)
  })
})
