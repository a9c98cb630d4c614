import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMarketHandlers } from '#api-server/market/market.handlers.ts'
import { marketMigrations } from '#api-server/market/market.migration.ts'
import { marketCalls } from '#contract/calls/market.calls.ts'
import { followChain, genesisHash } from '#contract/tick-chain.ts'
import type { Caller, Handler, RawHandler } from '#server-kit/http/http.ts'
import { leaseMigration } from '#server-kit/ops/lease.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { type MarketStage, openMarketStage } from '#tests/support/feed/market-stage.ts'

const start = Date.parse('2026-11-20T11:41:30Z')
type Name = keyof typeof marketCalls

onEngines('calls of the market', (engine) => {
  let stage: MarketStage
  let handlers: ReturnType<typeof createMarketHandlers>
  /** Waits until all ticks are in the log. */
  const written = () => stage.market.reads.logEndAfter(0)
  beforeAll(async () => {
    stage = await openMarketStage(await engine.open([...marketMigrations, leaseMigration]), start)
    stage.run(300, 400)
    await written()
    handlers = createMarketHandlers(stage.market, (lang, symbol) => (lang === 'ja' && symbol === 'BTCUSDT' ? 'ビットコイン' : undefined))
  })
  afterAll(() => stage?.market.stop())

  const caller = (lang = 'en'): Caller => ({ lang, token: undefined, agent: '', ip: '' })
  /** Reads the input and checks the output against the contract, as `mount` does. */
  async function call<N extends Name>(name: N, fields: Record<string, string> = {}, lang?: string) {
    const row = marketCalls[name]
    const input = row.input.parse(fields) as never
    const handler = handlers[name] as Handler<typeof row> | RawHandler<typeof row>
    const data =
      typeof handler === 'function'
        ? await handler(input, caller(lang) as never)
        : (JSON.parse(handler.raw(input, caller(lang) as never).toString()) as { data: unknown }).data
    return row.output.parse(data) as never as (typeof marketCalls)[N]['output']['_output']
  }

  test('quotation lists all instruments, home the hot ones, with titles in the language and 24 hourly closes', async () => {
    const { list } = await call('market.quotation', {}, 'ja')
    expect(list).toHaveLength(30)
    expect(list[0]).toMatchObject({ match_id: 1, symbol: 'BTCUSDT', name: 'BTC/USDT', title: 'ビットコイン', source: 'simulator' })
    expect(list[1]!.title).toBe('ETH')
    for (const one of list) {
      expect(one.spark).toHaveLength(24)
      expect(one.spark.at(-1)).toBe(one.quote24h.last)
      const { last, high24h, low24h } = one.quote24h
      expect(Number(low24h) <= Number(last) && Number(last) <= Number(high24h)).toBe(true)
    }
    const home = (await call('market.getHomeQuotaList')).list
    expect(home).toEqual(home.filter((one) => one.hot))
    expect(home.length).toBeGreaterThanOrEqual(8)
    expect(home[0]!.title).toBe('BTC')
  })

  test('within 250 ms all customers get the same bytes in each language', () => {
    const bytes = (lang: string) =>
      (handlers['market.quotation'] as RawHandler<(typeof marketCalls)['market.quotation']>).raw({}, caller(lang))
    const first = bytes('en')
    expect(bytes('en')).toBe(first)
    expect(bytes('ja')).not.toBe(first)
  })

  test.each([
    ['1', 'BTCUSDT'],
    ['30', 'JP225USDT'],
    ['ETHUSDT', 'ETHUSDT'],
  ])('getQuota of %s is %s', async (match_id, symbol) => {
    expect(await call('market.getQuota', { match_id })).toMatchObject({ symbol })
  })

  test.each(['31', '0', '01', '-1', 'btcusdt', 'NOSUCH', '1 OR 1=1', '__proto__', ''])('getQuota of %j is unknown', async (match_id) => {
    await expect(call('market.getQuota', { match_id })).rejects.toMatchObject({ code: 'symbol_unknown' })
  })

  const now = String(start + 120_000)
  const at = (text: string) => String(Date.parse(text))
  test.each<[string, Record<string, string>, number, string | undefined, string | undefined]>([
    ['the newest 300 without a range', { period: '1m' }, 300, undefined, '2026-11-20T11:43:00Z'],
    ['the requested number', { period: '1h', limit: '1000' }, 1_000, undefined, '2026-11-20T11:00:00Z'],
    [
      'a range in ms, both ends included',
      { period: '1h', from: at('2026-11-20T08:00:00Z'), to: at('2026-11-20T10:00:00Z') },
      3,
      '2026-11-20T08:00:00Z',
      '2026-11-20T10:00:00Z',
    ],
    ['a range in seconds', { period: '1d', from: '1790812800', to: '1793404800' }, 31, '2026-10-01T00:00:00Z', '2026-10-31T00:00:00Z'],
    [
      'the newest candles of a long range',
      { period: '1m', from: '0', to: now, limit: '5' },
      5,
      '2026-11-20T11:39:00Z',
      '2026-11-20T11:43:00Z',
    ],
    ['one candle', { period: '1w', limit: '1' }, 1, '2026-11-16T00:00:00Z', '2026-11-16T00:00:00Z'],
    ['a range before the past began', { period: '1d', from: '0', to: at('2010-01-01T00:00:00Z') }, 0, undefined, undefined],
    ['a range in the future', { period: '1d', from: at('2030-01-01T00:00:00Z') }, 0, undefined, undefined],
  ])('kline: %s', async (_name, fields, count, first, last) => {
    const { list } = await call('market.kline', { symbol: 'BTCUSDT', ...fields })
    expect(list).toHaveLength(count)
    if (first) expect(list[0]!.time).toBe(Date.parse(first))
    if (last) expect(list.at(-1)!.time).toBe(Date.parse(last))
    list.forEach((candle, i) => void (i && expect(candle.time).toBeGreaterThan(list[i - 1]!.time)))
  })

  test.each([
    [{ symbol: 'NOSUCH', period: '1m' }, 'symbol_unknown'],
    [{ symbol: 'BTCUSDT', period: '1m', from: '1793404800', to: '1790812800000' }, 'range_reversed'],
  ])('kline of %j is refused as %s', async (fields, code) => {
    await expect(call('market.kline', fields)).rejects.toMatchObject({ code })
  })

  test('ticks are those of the log from a number on, and one chain with those asked for before', async () => {
    const { list } = await call('market.ticks', { from: '1', limit: '3' })
    expect(list.map((one) => one.tick_id)).toEqual([1, 2, 3])
    const next = (await call('market.ticks', { from: '4', limit: '2' })).list
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
    const rows = [...list, ...next].map(({ tick_id: id, ...rest }) => ({ id, ...rest }))
    expect(followChain(sha256, { id: 0, hash: genesisHash }, rows)).toEqual({ tip: { id: 5, hash: next[1]!.hash } })
    expect((await call('market.ticks', { from: '999999999999999' })).list).toEqual([])
    expect((await call('market.ticks', { from: '2' })).list).toHaveLength(100)
  })

  test('the ends of days are given from a time on, with the end of the log', async () => {
    const before = await call('market.dayEnds')
    expect(before.list).toEqual([])
    expect(before.last).toEqual({ tick_id: stage.market.counts().stored, hash: expect.stringMatching(/^[0-9a-f]{64}$/) })
    for (let day = 0; day < 3; day++) stage.run(1, 86_400_000)
    await written()
    const days = ['2026-11-20', '2026-11-21', '2026-11-22'].map((day) => Date.parse(`${day}T00:00:00Z`))
    const { list, last } = await call('market.dayEnds')
    expect(list.map(({ day }) => day)).toEqual(days)
    expect(list[0]).toMatchObject(before.last!)
    expect(last!.tick_id).toBeGreaterThan(list[2]!.tick_id)
    const ended = (await call('market.ticks', { from: String(list[1]!.tick_id), limit: '1' })).list[0]
    expect(ended).toMatchObject({ hash: list[1]!.hash })
    expect((await call('market.dayEnds', { from: String(days[1]! + 5), limit: '1' })).list.map(({ day }) => day)).toEqual([days[1]])
    expect((await call('market.dayEnds', { from: String(days[2]! + 86_400_000) })).list).toEqual([])
  })

  test.each([{}, { from: '0' }, { from: '-1' }, { from: '1.5' }, { from: 'x' }, { from: '1', limit: '0' }, { from: '1', limit: '501' }])(
    'ticks with %j do not pass the contract',
    (fields) => {
      expect(marketCalls['market.ticks'].input.safeParse(fields).success).toBe(false)
    },
  )
  test.each([{ from: '-1' }, { from: 'x' }, { limit: '0' }, { limit: '367' }])(
    'ends of days with %j do not pass the contract',
    (fields) => {
      expect(marketCalls['market.dayEnds'].input.safeParse(fields).success).toBe(false)
    },
  )

  test.each([{ period: '1ns' }, { limit: '1001' }, { limit: '1e9' }, { from: '-1' }, { from: '1.5' }, { symbol: 'btcusdt' }])(
    'kline with %j does not pass the contract',
    (fields) => {
      expect(marketCalls['market.kline'].input.safeParse({ symbol: 'BTCUSDT', period: '1m', ...fields }).success).toBe(false)
    },
  )
})
