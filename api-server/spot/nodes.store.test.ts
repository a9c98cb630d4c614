import { expect, test } from 'vitest'
import { migrations } from '#api-server/migrations.ts'
import { spotLimits } from '#api-server/spot/spot.ts'
import { createLocalBus, createNatsBus } from '#server-kit/ops/bus.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { openSpotNode, type SpotNodeOptions } from '#tests/support/databases/spot-stage.ts'
import { natsMissing, startNats } from '#tests/support/servers/nats.ts'

onEngines('spot orders of two nodes', (engine) => {
  test.skipIf(engine.name === 'pglite' || natsMissing() !== undefined)(
    'are matched by one node as soon as the bus tells of them, and by the other when it ends',
    async () => {
      const nats = await startNats()
      const limits = spotLimits as { lookEveryMs: number; sweepEveryMs: number }
      const { lookEveryMs, sweepEveryMs } = spotLimits
      // Only the bus announces orders.
      Object.assign(limits, { lookEveryMs: 600_000, sweepEveryMs: 600_000 })
      const log = createLog('silent')
      const buses = [await createNatsBus(nats.url, log), await createNatsBus(nats.url, log)] as const
      const database = await engine.open(migrations)
      const first = await openSpotNode(database, { bus: buses[0] })
      const second = await openSpotNode(database, { bus: buses[1] })
      try {
        await first.spot.start()
        await expect.poll(() => first.spot.matcher.leads()).toBe(true)
        await second.spot.start()
        const [buyer, seller] = [await first.user(520_001), await first.user(520_002)]
        await first.credit(buyer, 'USDT', '1000')
        await first.credit(seller, 'BTC', '1')

        expect(await second.order(buyer, 'buy 0.01 at 49000')).toMatchObject({ status: 'open' })
        expect(second.spot.matcher.leads()).toBe(false)
        await expect.poll(() => second.spot.depth('BTCUSDT', 5).bids).toEqual([['49000', '0.01']])
        const { list } = await second.call('c2c.orderList', buyer)
        for (const price of ['48500', '49000'])
          expect(await second.call('c2c.move', buyer, { id: String(list[0]!.id), price })).toMatchObject({ price, status: 'open' })
        expect(await second.order(seller, 'sell 0.004 at 49000')).toMatchObject({ status: 'filled' })

        await first.close()
        await expect.poll(() => second.spot.matcher.leads()).toBe(true)
        expect(await second.order(seller, 'sell 0.006 at 49000')).toMatchObject({ status: 'filled' })
        expect(await second.has(seller, 'BTC')).toBe('0.99/0')
        await expectSoundMoney(database)
      } finally {
        Object.assign(limits, { lookEveryMs, sweepEveryMs })
        await second.close()
        await first.close()
        for (const bus of buses) await bus.close()
        await nats.stop()
      }
    },
  )

  test('show one book: what no node offers is shown by none, and a node that comes later hears of what stays as it is', async () => {
    const limits = spotLimits as { tellEveryMs: number; depthAgeMsMax: number }
    const { tellEveryMs, depthAgeMsMax } = spotLimits
    Object.assign(limits, { tellEveryMs: 300, depthAgeMsMax: 1_000 })
    const bus = { ...createLocalBus(createLog('silent')), shared: true }
    const database = await engine.open(migrations)
    const options: SpotNodeOptions = { bus, marketDepth: { bids: [['49990', '1']], asks: [['50010', '1']] } }
    const first = await openSpotNode(database, options)
    const second = await openSpotNode(database, options)
    try {
      // Without a young price the house offers nothing.
      first.age(10_001)
      await first.spot.start()
      await expect.poll(() => first.spot.matcher.leads()).toBe(true)
      const buyer = await first.user(530_001)
      await first.credit(buyer, 'USDT', '1000')
      await first.order(buyer, 'buy 0.01 at 49000')
      const book = { bids: [['49000', '0.01']], asks: [] }
      await expect.poll(() => first.spot.depth('BTCUSDT', 5)).toEqual(book)
      // The book was announced before the other node listens.
      await new Promise((wake) => setTimeout(wake, 600))
      expect(second.spot.depth('BTCUSDT', 5)).toEqual({ bids: [], asks: [] })
      await second.spot.start()
      await expect.poll(() => second.spot.depth('BTCUSDT', 5)).toEqual(book)
      await new Promise((wake) => setTimeout(wake, 1_500))
      await expect.poll(() => second.spot.depth('BTCUSDT', 5)).toEqual(book)
      expect(second.spot.depth('AAPLUSDT', 5).bids).toEqual([['49990', '1']])
    } finally {
      Object.assign(limits, { tellEveryMs, depthAgeMsMax })
      await second.close()
      await first.close()
    }
  })
})
