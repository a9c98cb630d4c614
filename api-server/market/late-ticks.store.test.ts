import { expect, test } from 'vitest'
import { fineToCoarse } from '#api-server/market/bars/periods.rules.ts'
import { marketMigrations } from '#api-server/market/market.migration.ts'
import type { Database } from '#server-kit/db/db.ts'
import { leaseMigration } from '#server-kit/ops/lease.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { eventually } from '#tests/support/eventually.ts'
import { clearMarket, type MarketStage, openMarketStage } from '#tests/support/feed/market-stage.ts'

const minute = 60_000

onEngines('ticks that come late', (engine) => {
  let shared: Database | undefined
  const open = async () => {
    shared ??= await engine.open([...marketMigrations, leaseMigration])
    await clearMarket(shared)
    return shared
  }
  const everyPeriod = async (stage: MarketStage) => {
    const instrument = stage.market.board.instrument('BTCUSDT')!
    const all = fineToCoarse.map((period) => stage.market.series.candles(instrument, period, undefined, undefined, 10))
    return Promise.all(all)
  }

  const t = Date.parse('2026-11-20T12:00:00Z')
  const second = 1_000
  type Push = [price: string, at: number]
  /** Pushes ticks at moments after t; the clock never goes back. Each trades one unit. */
  function push(stage: MarketStage, ticks: readonly Push[]) {
    for (const [price, at] of ticks) {
      stage.run(1, Math.max(0, t + at - stage.now()))
      stage.market.manual!.push({ symbol: 'BTCUSDT', price, time: t + at, size: '1' })
    }
  }
  const minutes = async (stage: MarketStage) => {
    const { series, board } = stage.market
    const list = await series.candles(board.instrument('BTCUSDT')!, '1m', t, undefined, 100)
    return list.map(({ time, open, high, low, close, volume }) => [(time - t) / minute, ...[open, high, low, close, volume].map(Number)])
  }
  const first: Push[] = [
    ['100', 10 * second],
    ['104', 50 * second],
    ['103', 65 * second],
  ]

  test.each<[string, Push[], number[][], string]>([
    [
      'in the middle of its minute',
      [['110', 40 * second]],
      [
        [0, 100, 110, 100, 104, 3],
        [1, 103, 103, 103, 103, 1],
      ],
      '103.00',
    ],
    [
      'the last of its minute',
      [['99', 58 * second]],
      [
        [0, 100, 104, 99, 99, 3],
        [1, 103, 103, 103, 103, 1],
      ],
      '103.00',
    ],
    [
      'the first of its minute',
      [['101', 5 * second]],
      [
        [0, 101, 104, 100, 104, 3],
        [1, 103, 103, 103, 103, 1],
      ],
      '103.00',
    ],
    [
      'of a minute without ticks',
      [
        ['105', 130 * second],
        ['90', -30 * second],
        ['91', 115 * second],
      ],
      [
        [0, 100, 104, 100, 104, 2],
        [1, 103, 103, 91, 91, 2],
        [2, 105, 105, 105, 105, 1],
      ],
      '105.00',
    ],
    [
      'within the minute that is open',
      [
        ['107', 70 * second],
        ['90', 61 * second],
      ],
      [
        [0, 100, 104, 100, 104, 2],
        [1, 90, 107, 90, 107, 3],
      ],
      '107.00',
    ],
    [
      'at the same moment as the last',
      [['95', 50 * second]],
      [
        [0, 100, 104, 95, 95, 3],
        [1, 103, 103, 103, 103, 1],
      ],
      '103.00',
    ],
    [
      'several at once',
      [
        ['96', 20 * second],
        ['97', 59 * second],
        ['98', 55 * second],
        ['102', 66 * second],
      ],
      [
        [0, 100, 104, 96, 97, 5],
        [1, 103, 103, 102, 102, 2],
      ],
      '102.00',
    ],
  ])('%s: each belongs to its own candle, in memory, in the table and after a restart', async (_name, late, wanted, last) => {
    const database = await open()
    const stage = await openMarketStage(database, t - minute, { source: 'manual', flushEveryMs: 50 })
    push(stage, [...first, ...late])
    expect(await minutes(stage)).toEqual(wanted)
    const quote = stage.market.quote('BTCUSDT')
    expect(quote).toMatchObject({ last, volume24h: `${first.length + late.length}.00000` })
    const prints = stage.market.trades('BTCUSDT').map(({ ts }) => ts)
    expect(prints).toEqual(prints.toSorted((a, b) => a - b))
    await eventually(() => stage.market.counts().stored === first.length + late.length).toBe(true)
    expect(await minutes(stage)).toEqual(wanted)
    const before = await everyPeriod(stage)
    await stage.market.stop()
    const again = await openMarketStage(database, stage.now(), { source: 'manual' })
    expect(await minutes(again)).toEqual(wanted)
    expect(await everyPeriod(again)).toEqual(before)
    expect(again.market.quote('BTCUSDT')).toEqual(quote)
    await again.market.stop()
  })

  test('one that comes after a restart finds its candle in the table', async () => {
    const database = await open()
    const stage = await openMarketStage(database, t - minute, { source: 'manual' })
    push(stage, first)
    await stage.market.stop()
    const again = await openMarketStage(database, stage.now(), { source: 'manual', flushEveryMs: 5 })
    push(again, [
      ['110', 40 * second],
      ['99', 58 * second],
      ['101', 5 * second],
    ])
    await again.market.reads.durable(6)
    expect(await minutes(again)).toEqual([
      [0, 101, 110, 99, 99, 5],
      [1, 103, 103, 103, 103, 1],
    ])
    await again.market.stop()
  })

  test('one from the future is refused, and changes neither price nor day nor candle', async () => {
    const stage = await openMarketStage(await open(), t - minute, { source: 'manual' })
    push(stage, first)
    const quote = stage.market.quote('BTCUSDT')
    for (const ahead of [5 * second, 60 * minute, 365 * 24 * 60 * minute])
      expect(() => stage.market.manual!.push({ symbol: 'BTCUSDT', price: '500', time: stage.now() + ahead })).toThrow('parameter_error')
    expect(stage.market.quote('BTCUSDT')).toEqual(quote)
    expect(await minutes(stage)).toHaveLength(2)
    await stage.market.stop()
  })

  test('after the clock was set back an hour, prices and candles go on, and are the same after a restart', async () => {
    const database = await open()
    const stage = await openMarketStage(database, t - minute, { source: 'manual' })
    push(stage, [
      ['100', 10 * second],
      ['104', 70 * second],
    ])
    const before = stage.now()
    stage.run(1, 60 * minute)
    stage.market.manual!.push({ symbol: 'BTCUSDT', price: '900', size: '1' })
    stage.run(1, before - stage.now())
    stage.market.manual!.push({ symbol: 'BTCUSDT', price: '102', size: '1' })
    expect(stage.market.quote('BTCUSDT')).toMatchObject({ last: '102.00', ts: before, high24h: '104.00', volume24h: '3.00000' })
    const wanted = [
      [0, 100, 100, 100, 100, 1],
      [1, 104, 104, 102, 102, 2],
    ]
    await stage.market.reads.durable(4)
    expect(await minutes(stage)).toEqual(wanted)
    await stage.market.stop()
    const again = await openMarketStage(database, stage.now(), { source: 'manual' })
    expect(await minutes(again)).toEqual(wanted)
    expect(again.market.quote('BTCUSDT')).toMatchObject({ last: '102.00', ts: before, high24h: '104.00', volume24h: '3.00000' })
    await again.market.stop()
  })
})
