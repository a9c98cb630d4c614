import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { coarsen } from '#api-server/market/bars/bars.rules.ts'
import { finerOf, fineToCoarse } from '#api-server/market/bars/periods.rules.ts'
import { instrumentSeeds } from '#api-server/market/instruments.ts'
import { marketMigrations } from '#api-server/market/market.migration.ts'
import { createMarketStore } from '#api-server/market/market.store.ts'
import { toUnits } from '#api-server/market/units.rules.ts'
import type { Candle, Period } from '#contract/calls/market.calls.ts'
import type { Database } from '#server-kit/db/db.ts'
import { createLease, createLeaseStore, leaseMigration } from '#server-kit/ops/lease.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { priceBreaches } from '#tests/support/audit.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { eventually } from '#tests/support/eventually.ts'
import { clearMarket, openMarketStage } from '#tests/support/feed/market-stage.ts'

const start = Date.parse('2026-11-20T11:41:30Z')
const minute = 60_000

const bars = (candles: readonly Candle[]) =>
  candles.map(({ time, open, high, low, close, volume }) => ({
    time,
    open: toUnits(open, 2)!,
    high: toUnits(high, 2)!,
    low: toUnits(low, 2)!,
    close: toUnits(close, 2)!,
    volume: toUnits(volume, 5)!,
  }))

onEngines('the market', (engine) => {
  let shared: Database | undefined
  /** Opens an empty market. Emptying the tables is fast; opening a database takes seconds. */
  const open = async () => {
    shared ??= await engine.open([...marketMigrations, leaseMigration])
    await clearMarket(shared)
    return shared
  }
  const everyPeriod = async (stage: Awaited<ReturnType<typeof openMarketStage>>, limit: number) => {
    const instrument = stage.market.board.instrument('BTCUSDT')!
    const found = new Map<Period, Candle[]>()
    for (const period of fineToCoarse) found.set(period, await stage.market.series.candles(instrument, period, undefined, undefined, limit))
    return found
  }

  test('there are thirty instruments of four groups, with valid price steps', async () => {
    const all = await createMarketStore(await open()).instruments()
    expect(all.map((one) => one.symbol)).toEqual(instrumentSeeds.map((one) => one.symbol))
    expect(new Set(all.map((one) => one.group))).toEqual(new Set(['currency', 'stock', 'metal', 'index']))
    expect(all.find((one) => one.symbol === 'JP225USDT')).toMatchObject({ tick: '5', tickUnits: 5, priceScale: 0, sizeScale: 2 })
  })

  test('at the first start every chart is full, coarse candles equal the sum of finer ones, and live ticks continue from them', async () => {
    const stage = await openMarketStage(await open(), start)
    stage.run(900, 400) // Six minutes in small steps.
    await stage.market.reads.durable(stage.market.reads.lastPrice('BTCUSDT')!.tickId)
    const found = await everyPeriod(stage, 1_000)
    for (const [period, list] of found) {
      expect(list.length).toBeGreaterThan(period === '1M' ? 55 : 250)
      expect(list.at(-1)!.close).toBe(stage.market.quote('BTCUSDT')!.last)
      const finer = finerOf[period]
      if (!finer) continue
      const fine = bars(found.get(finer)!)
      const whole = bars(list).filter((bar) => bar.time >= fine[1]!.time)
      const made = coarsen(period, fine).filter((bar) => bar.time >= fine[1]!.time)
      expect(made.length).toBeGreaterThan(10)
      expect(whole).toEqual(made)
    }
    await stage.market.stop()
  })

  test('after a restart price, open candles and statistics are the same, and the chain continues', async () => {
    const database = await open()
    const first = await openMarketStage(database, start)
    first.run(1_500, 400) // Ten minutes.
    await first.market.stop()
    const before = await everyPeriod(first, 50)
    const quotes = first.market.symbols().map((symbol) => first.market.quote(symbol))

    const second = await openMarketStage(database, first.now())
    expect(await everyPeriod(second, 50)).toEqual(before)
    expect(second.market.symbols().map((symbol) => second.market.quote(symbol))).toEqual(quotes)
    const last = toUnits(second.market.quote('BTCUSDT')!.last, 2)!
    second.run(20, 400)
    const next = second.market.trades('BTCUSDT')[0]!
    expect(Math.abs(toUnits(next.price, 2)! / last - 1)).toBeLessThan(0.002)
    await second.market.stop()
    expect((await createMarketStore(database).tip()).id).toBe(first.market.counts().stored! + second.market.counts().stored!)
    expect(await priceBreaches(database)).toEqual([])
  })

  test('the simulated market pauses while the server is down: flat candles without volume', async () => {
    const database = await open()
    const first = await openMarketStage(database, start)
    first.run(300, 400)
    await first.market.stop()
    const second = await openMarketStage(database, first.now() + 10 * minute)
    second.run(10, 400)
    const list = (await everyPeriod(second, 12)).get('1m')!
    expect(list).toHaveLength(12)
    list.forEach((candle, i) => void (i && expect(candle.time).toBe(list[i - 1]!.time + minute)))
    const flat = list.filter((candle) => Number(candle.volume) === 0)
    expect(flat.length).toBeGreaterThanOrEqual(8)
    for (const candle of flat) expect(new Set([candle.open, candle.high, candle.low, candle.close]).size).toBe(1)
    await second.market.stop()
  })

  test('with a manual source candles come from pushed ticks only, gaps stay, and simulated data is not visible', async () => {
    const database = await open()
    const simulated = await openMarketStage(database, start)
    simulated.run(10, 400)
    await simulated.market.stop()
    const stage = await openMarketStage(database, simulated.now(), { source: 'manual' })
    const { manual, reads, board, series } = stage.market
    expect(stage.market.quote('BTCUSDT')).toBeUndefined()
    expect(reads.lastPrice('BTCUSDT')).toBeUndefined()
    const t = Date.parse('2026-11-20T12:00:00Z')
    for (const [price, time] of [
      ['100', t],
      ['105.5', t + 59_999],
      ['90', t + 5 * minute],
      ['95', t + 5 * minute + 1],
    ] as const) {
      stage.run(1, time - stage.now())
      manual!.push({ symbol: 'BTCUSDT', price, time })
    }
    stage.run(1, t + 6 * minute - stage.now())
    const list = await series.candles(board.instrument('BTCUSDT')!, '1m', undefined, undefined, 100)
    expect(list).toEqual([
      { time: t, open: '100.00', high: '105.50', low: '100.00', close: '105.50', volume: '0.00000' },
      { time: t + 5 * minute, open: '90.00', high: '95.00', low: '90.00', close: '95.00', volume: '0.00000' },
    ])
    expect(stage.market.quote('BTCUSDT')).toMatchObject({
      last: '95.00',
      open24h: '100.00',
      high24h: '105.50',
      low24h: '90.00',
      change: '-0.050000',
    })
    expect(stage.market.depth('BTCUSDT', 20)).toEqual({ bids: [], asks: [] })

    // Settlement uses the last tick at or before a time; a tick exactly at the time counts.
    const priceAt = async (time: number) => (await reads.tickAtOrBefore('BTCUSDT', time))?.price
    expect(await priceAt(t - 1)).toBe((await createMarketStore(database).tickAtOrBefore('BTCUSDT', t - 1))?.price)
    expect(
      await Promise.all([t, t + 59_998, t + 59_999, t + 5 * minute - 1, t + 5 * minute, t + 5 * minute + 1, t + 9 * minute].map(priceAt)),
    ).toEqual(['100.00', '100.00', '105.50', '105.50', '90.00', '95.00', '95.00'])
    expect(await reads.tickAtOrBefore('ETHUSDT', 0)).toBeUndefined()
    expect(reads.quoteAge('BTCUSDT')).toBe(minute - 1)
    expect(reads.quoteAge('ETHUSDT')).toBeUndefined()
    const { tickId } = reads.lastPrice('BTCUSDT')!
    expect(await reads.proven(tickId)).toMatchObject({ price: '95.00', source: 'manual', hash: expect.stringMatching(/^[0-9a-f]{64}$/) })
    await stage.market.stop()
  })

  test('a pushed tick of an unknown instrument or off the price step is refused and has no effect', async () => {
    const stage = await openMarketStage(await open(), start, { source: 'manual' })
    for (const [tick, code] of [
      [{ symbol: 'NOSUCH', price: '1' }, 'symbol_unknown'],
      [{ symbol: 'BTCUSDT', price: '1.001' }, 'parameter_error'],
      [{ symbol: 'JP225USDT', price: '39001' }, 'parameter_error'],
      [{ symbol: 'BTCUSDT', price: '0' }, 'parameter_error'],
      [{ symbol: 'BTCUSDT', price: '-1' }, 'parameter_error'],
      [{ symbol: 'BTCUSDT', price: '1e5' }, 'parameter_error'],
      [{ symbol: 'BTCUSDT', price: '1', time: -1 }, 'parameter_error'],
      [{ symbol: 'BTCUSDT', price: '1', size: '0.000001' }, 'parameter_error'],
    ] as const)
      expect(() => stage.market.manual!.push(tick), tick.price).toThrow(expect.objectContaining({ code }))
    await stage.market.stop()
    expect(stage.market.counts()).toMatchObject({ stored: 0, queued: 0 })
    expect(stage.market.quote('BTCUSDT')).toBeUndefined()
  })

  test('a price is in the log when its number is of that price', async () => {
    const database = await open()
    const stage = await openMarketStage(database, start, { source: 'manual' })
    stage.market.manual!.push({ symbol: 'BTCUSDT', price: '50000' })
    stage.market.manual!.push({ symbol: 'ETHUSDT', price: '3000' })
    await stage.market.reads.durable(2)
    const [right, same] = [
      { id: 1, symbol: 'BTCUSDT', price: '50000.00' },
      { id: 1, symbol: 'BTCUSDT', price: '50000' },
    ]
    const wrong = [
      { ...right, price: '50000.01' },
      { ...right, symbol: 'ETHUSDT' },
      { ...right, id: 2 },
      { ...right, id: 3 },
    ]
    await database.transaction(async (tx) => {
      const isLogged = await stage.market.reads.logged(tx, [right, ...wrong, same, right])
      expect([right, same, ...wrong].map(isLogged)).toEqual([true, true, false, false, false, false])
      expect((await stage.market.reads.logged(tx, []))(right)).toBe(false)
    })
    await stage.market.stop()
  })

  test('the log is append-only', async () => {
    const database = await open()
    const stage = await openMarketStage(database, start, { source: 'manual' })
    for (let i = 1; i <= 20; i++) stage.market.manual!.push({ symbol: 'BTCUSDT', price: String(100 + i) })
    stage.run(1, 86_400_000)
    stage.market.manual!.push({ symbol: 'BTCUSDT', price: '130' })
    await stage.market.stop()
    const { db } = database
    await expect(sql`update tick set price = 1 where id = 7`.execute(db)).rejects.toThrow('neither changed nor removed')
    await expect(sql`delete from tick where id = 7`.execute(db)).rejects.toThrow('neither changed nor removed')
    const { rows } = await sql`select day, until, id from tick_day`.execute(db)
    const day = Date.parse('2026-11-20T00:00:00Z')
    expect(rows).toEqual([{ day, until: day + 86_400_000, id: 20 }])
    await expect(sql`update tick_day set id = 7`.execute(db)).rejects.toThrow('neither changed nor removed')
    await expect(sql`delete from tick_day`.execute(db)).rejects.toThrow('neither changed nor removed')
    expect(await priceBreaches(database)).toEqual([])
  })

  test('where ticks are gone at its end, a node goes on after their numbers, and the gap stays', async () => {
    const database = await open()
    const stage = await openMarketStage(database, start, { source: 'manual' })
    for (let i = 1; i <= 5; i++) stage.market.manual!.push({ symbol: 'BTCUSDT', price: String(100 + i) })
    await stage.market.stop()
    await sql`alter table tick disable trigger tick_final`.execute(database.db)
    await sql`delete from tick where id > 2`.execute(database.db)
    const next = await openMarketStage(database, start, { source: 'manual' })
    next.market.manual!.push({ symbol: 'BTCUSDT', price: '106' })
    await next.market.stop()
    expect((await createMarketStore(database).ticksAfter(0, 10)).map(({ id }) => id)).toEqual([1, 2, 6])
    expect(await priceBreaches(database)).toEqual(['price 6: the one before it is missing'])
  })

  test('of two writers the later one is refused by the log, and no tick is lost or doubled', async () => {
    const database = await open()
    const [one, two] = [
      await openMarketStage(database, start, { source: 'manual' }),
      await openMarketStage(database, start, { source: 'manual' }),
    ]
    one.market.manual!.push({ symbol: 'BTCUSDT', price: '100' })
    await one.market.reads.durable(1)
    two.run(1, 1_000)
    two.market.manual!.push({ symbol: 'ETHUSDT', price: '200' })
    await eventually(() => two.market.counts().leading).toBe(0)
    expect(() => two.market.manual!.push({ symbol: 'BTCUSDT', price: '201' })).toThrow(expect.objectContaining({ code: 'busy' }))
    // The unwritten ticks of the refused writer say nothing about the log, not even once their time has passed.
    two.run(1, minute)
    expect(two.market.board.last('ETHUSDT')).toMatchObject({ time: start + 1_000 })
    expect(await two.market.reads.logEndAfter(start)).toBeUndefined()
    expect(await two.market.reads.tickAtOrBefore('ETHUSDT', start + 1_000)).toBeUndefined()
    one.run(1, 2_000)
    one.market.manual!.push({ symbol: 'BTCUSDT', price: '101' })
    await one.market.reads.durable(2)
    expect(await two.market.reads.logEndAfter(start)).toBe(2)
    await one.market.stop()
    await two.market.stop()
    expect((await createMarketStore(database).ticksAfter(0, 10)).map((row) => row.price)).toEqual(['100.00', '101.00'])
    expect(await priceBreaches(database)).toEqual([])
  })

  test('one node holds the lease; another node gets it when the lease is given back or ends', async () => {
    const database = await open()
    const events: string[] = []
    const lease = (holder: string, over: object = {}) =>
      createLease({
        store: createLeaseStore(database, 'source'),
        does: 'runs the price source',
        holder,
        log: createLog('silent'),
        onTaken: async () => void events.push(`${holder} leads`),
        onLost: () => events.push(`${holder} follows`),
        renewEveryMs: 50,
        lengthMs: 2_500,
        ...over,
      })
    // Long, so that a process that stands still for a moment does not lose it.
    const [a, b] = [lease('a', { lengthMs: 60_000 }), lease('b', { lengthMs: 60_000 })]
    await a.start()
    await b.start()
    await new Promise((wake) => setTimeout(wake, 500))
    expect([a.held(), b.held()]).toEqual([true, false])
    await a.stop()
    await eventually(b.held).toBe(true)
    expect(events).toEqual(['a leads', 'a follows', 'b leads'])

    // A node that hangs cannot renew its lease. It stops by its own clock before the lease is free.
    let hangs = false
    const store = createLeaseStore(database, 'source')
    await b.stop()
    const c = lease('c', {
      store: {
        ...store,
        take: (...args: Parameters<typeof store.take>) => (hangs ? new Promise(() => {}) : store.take(...args)),
      },
    })
    await c.start()
    const d = lease('d')
    await d.start()
    hangs = true
    await eventually(d.held).toBe(true)
    expect(events.slice(-3)).toEqual(['c leads', 'c follows', 'd leads'])
    await c.stop()
    // It may have the lease again before this is answered.
    await d.resign('the test says so')
    await eventually(d.held).toBe(true)
    expect(events.slice(-2)).toEqual(['d follows', 'd leads'])
    await d.stop()
  })

  // The embedded database reads the clock of its process, which is its only node.
  test.skipIf(engine.name === 'pglite')('the clock of the database judges a lease, whatever the clock of a node shows', async () => {
    const store = createLeaseStore(await open(), 'source')
    const began = Date.now()
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      for (const apart of [30_000, -30_000, 3_600_000, -3_600_000, 10 * 365 * 86_400_000]) {
        vi.setSystemTime(began)
        expect(await store.take('one', 60_000)).toBe(true)
        vi.setSystemTime(began + apart)
        expect([apart, await store.take('two', 60_000), await store.take('one', 1)]).toEqual([apart, false, true])
        await eventually(() => store.take('two', 1)).toBe(true)
        await eventually(() => store.take('three', 1)).toBe(true)
        await store.free('three')
      }
    } finally {
      vi.useRealTimers()
    }
  })

  test('ticks that come late in the batch that closes their candle are in it, by their times', async () => {
    const hour = Date.parse('2026-11-20T12:00:00Z')
    const stage = await openMarketStage(await open(), hour - minute, { source: 'manual', flushEveryMs: 50 })
    stage.run(1, minute)
    for (const [price, after] of [
      ['100', -30],
      ['101', 10],
      ['90', -40],
      ['110', -10],
      ['102', 20],
    ] as const)
      stage.market.manual!.push({ symbol: 'BTCUSDT', price, time: hour + after })
    await stage.market.stop()
    expect(stage.market.counts()).toMatchObject({ queued: 0, stored: 5, failures: 0 })
    const { rows } = await sql<object>`select period, open::float8, high::float8, low::float8, close::float8 from candle
      where symbol = 'BTCUSDT' and source = 'manual' and time = ${hour - minute} and period = '1m'`.execute(shared!.db)
    expect(rows).toEqual([{ period: '1m', open: 90, high: 110, low: 90, close: 110 }])
  })

  test('with the clock set back or years ahead the market goes on', async () => {
    const stage = await openMarketStage(await open(), start)
    for (const jump of [3_600_000, -3_600_000, 10 * 365 * 86_400_000, -10 * 365 * 86_400_000]) {
      stage.run(1, jump)
      stage.run(50, 400)
      const quote = stage.market.quote('BTCUSDT')!
      expect(Math.abs(stage.now() - quote.ts)).toBeLessThan(3_000)
      expect(Number(quote.high24h)).toBeGreaterThanOrEqual(Number(quote.last))
      expect(stage.market.reads.quoteAge('BTCUSDT')).toBeLessThan(3_000)
    }
    await stage.market.stop()
    expect(await priceBreaches(shared!)).toEqual([])
  })
})
