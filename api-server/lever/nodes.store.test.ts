import Big from 'big.js'
import { expect, test, vi } from 'vitest'
import { runnerLimits } from '#api-server/lever/triggers/runner.ts'
import { createNatsBus } from '#server-kit/ops/bus.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { expectFiredAsTheLogSays } from '#tests/support/databases/lever-scan.ts'
import { holdRow, openLeverStage, waitingFor } from '#tests/support/databases/lever-stage.ts'
import { chance, sized, withSeed } from '#tests/support/house/sizes.ts'
import { natsMissing, startNats } from '#tests/support/servers/nats.ts'

const dayMs = 24 * 3_600_000
const order = { match_id: 'BTCUSDT', lots: '1', multiple: '100' }

onEngines('contracts on several nodes', (engine) => {
  test.skipIf(engine.name === 'pglite')('two nodes that both believe that they are the one that acts do everything once', async () => {
    const stage = await openLeverStage(engine, { nodes: 2 })
    const free = () => stage.database.db.updateTable('lease').set({ until: 0 }).where('name', '=', 'contracts').execute()
    const timer = setInterval(() => free().catch(() => {}), 150)
    const draw = chance()
    try {
      await withSeed(draw, async () => {
        stage.tick('50000')
        // Their turns to renew lie half a second apart, so that each finds the lease free.
        await stage.levers[0]!.start()
        await new Promise((wake) => setTimeout(wake, 500))
        await stage.levers[1]!.start()
        await expect.poll(() => stage.levers.every((lever) => lever.runner.isLive())).toBe(true)
        const uids = await Promise.all(Array.from({ length: 4 }, () => stage.customer('100000')))
        const prices = [50_000]
        let ordered = 0
        for (let at = 0; at < sized(150, 2_000); at++) {
          const price = Math.round(prices.at(-1)! * (1 + (draw.next() - 0.5) / 300))
          prices.push(price)
          stage.tick(String(price))
          await new Promise((wake) => setTimeout(wake, 25))
          if (at % 3) continue
          const isLong = at % 2 === 0
          const near = (share: number) => (price * (1 + (isLong ? share : -share))).toFixed(2)
          const stops = { target_profit_price: near(0.002), stop_loss_price: near(-0.003) }
          const fields = {
            ...order,
            ...stops,
            side: isLong ? 'long' : 'short',
            ...(at % 4 === 0 && { type: 'limit', price: near(-0.001) }),
          }
          await stage.callAt(at % 2, 'lever.orderOpen', uids[at % 4]!, fields)
          ordered++
        }
        // Beyond all limits and levels of both sides, whatever was drawn: every order is filled, or cancelled where the price has passed its own
        // level, and every position closed.
        const [low, high] = [Math.min(...prices) * 0.99, Math.max(...prices) * 1.01]
        for (const price of [low, high, low, high]) stage.tick(price.toFixed(2))
        // One that could not renew its lease in time has it again soon.
        await expect.poll(() => stage.levers.map((lever) => lever.runner.isLive())).toEqual([true, true])
        clearInterval(timer)
        await expect.poll(() => stage.levers.filter((lever) => lever.runner.isLive()).length).toBe(1)
        await stage.settled()
        const passed = await stage.database.db.selectFrom('lever_position').select('id').where('cancel_reason', '=', 'price').execute()
        expect((await expectFiredAsTheLogSays(stage.database)) + passed.length).toBe(ordered)
        await expectSoundMoney(stage.database)
      })
    } finally {
      clearInterval(timer)
      await stage.stop()
    }
  })

  test.skipIf(engine.name === 'pglite')('a night that two nodes charge at once is charged once', async () => {
    const stage = await openLeverStage(engine, { nodes: 2 })
    try {
      stage.tick('50000')
      await stage.started()
      const held = await Promise.all(
        Array.from({ length: 12 }, async () => {
          const uid = await stage.customer('1000')
          return { uid, id: String((await stage.call('lever.orderOpen', uid, { ...order, side: 'long' })).id) }
        }),
      )
      stage.tick('50000', 'BTCUSDT', dayMs)
      const added = held.flatMap(({ uid, id }) =>
        [0, 1, 0, 1].map((node) => stage.callAt(node, 'lever.margin', uid, { id, action: 'add', amount: '1' })),
      )
      await Promise.all([...added, ...stage.levers.map((lever) => lever.runner.look())])
      const nights = await stage.database.db.selectFrom('lever_overnight').select(['position_id', 'fee']).execute()
      expect(nights.map(({ position_id }) => position_id).sort()).toEqual(held.map(({ id }) => Number(id)).sort())
      expect(new Set(nights.map(({ fee }) => fee))).toEqual(new Set(['0.1']))
      for (const { uid } of held) {
        const { list } = await stage.call('lever.dealall', uid)
        // Margin of one lot of 500 at 100 times, four times one more, less the night.
        expect(list).toMatchObject([{ margin: '8.9', overnight: '0.1' }])
      }
      await expectSoundMoney(stage.database)
    } finally {
      await stage.stop()
    }
  })

  test.skipIf(engine.name === 'pglite')('a node that takes over acts on what came meanwhile', async () => {
    const stage = await openLeverStage(engine, { nodes: 2 })
    try {
      stage.tick('50000')
      await stage.started()
      const uid = await stage.customer('100000')
      await stage.call('lever.orderOpen', uid, { ...order, side: 'long', stop_loss_price: '49900', target_profit_price: '51000' })
      const acting = stage.levers.findIndex((lever) => lever.runner.isLive())
      // As a node leaves it that ends without a word.
      await stage.levers[acting]!.stop()
      await stage.database.db
        .updateTable('lease')
        .set({ holder: 'gone', until: Date.now() + 1_000 })
        .where('name', '=', 'contracts')
        .execute()
      stage.tick('49890')
      stage.tick('51000')
      const other = stage.levers[1 - acting]!
      await expect.poll(() => other.runner.isLive(), { interval: 20 }).toBe(true)
      await stage.settled()
      expect((await stage.call('lever.history', uid)).list).toMatchObject([{ reason: 'stop_loss', price: '49890' }])
    } finally {
      await stage.stop()
    }
  })

  test.each<[string, string[], string, object]>([
    ['a liquidation', ['49700'], 'liquidated', { back: '0', price: '49700' }],
    ['the first of two levels', ['50200', '49700'], 'take_profit', { price: '50200' }],
    ['nothing', ['49900'], 'user', { margin: '4.9', price: '50000' }],
  ])('a night that another node charges comes after what ticks before midnight have fired: %s', async (_says, before, reason, close) => {
    const stage = await openLeverStage(engine)
    try {
      stage.tick('50000')
      await stage.started()
      const uid = await stage.customer('1000')
      const { id } = await stage.call('lever.orderOpen', uid, { ...order, side: 'long', target_profit_price: '50200' })
      // The node that acts has seen nothing of what comes, or has not come to mark it; calls are answered by another.
      await stage.lever.stop()
      const midnight = Math.ceil(stage.now() / dayMs) * dayMs
      stage.tick('50000', 'BTCUSDT', midnight - 10_000 - stage.now())
      for (const price of before) stage.tick(price)
      stage.tick('50000')
      stage.later(midnight + 1_000 - stage.now())
      const closed = stage.call('lever.close', uid, { id: String(id) })
      if (reason === 'user') await closed
      else await expect(closed).rejects.toMatchObject({ code: 'state_wrong' })
      const next = stage.make()
      await next.start()
      const list = async () => (await stage.call('lever.history', uid)).list
      await expect.poll(list).toMatchObject([{ position_id: id, reason, ...close }])
      expect(await stage.database.db.selectFrom('lever_overnight').selectAll().execute()).toHaveLength(reason === 'user' ? 1 : 0)
      await next.stop()
      await expectSoundMoney(stage.database)
    } finally {
      await stage.stop()
    }
  })

  test.skipIf(engine.name === 'pglite')(
    'a night that is charged while a later tick waits is followed by the first tick that reaches its level',
    async () => {
      const stage = await openLeverStage(engine, { nodes: 2 })
      try {
        stage.tick('50000')
        await stage.levers[0]!.start()
        await expect.poll(() => stage.levers[0]!.runner.isLive()).toBe(true)
        const uid = await stage.customer('1000')
        const { id } = await stage.call('lever.orderOpen', uid, { ...order, side: 'long' })
        const midnight = Math.ceil(stage.now() / dayMs) * dayMs
        stage.tick('50000', 'BTCUSDT', midnight - 1_000 - stage.now())
        stage.later(2_000)
        const held = await holdRow(stage.database, id)
        const liquidation = new Big(held.liquidation!)
        // The other node charges the night first, and this one marks the position after it.
        const asked = stage.callAt(1, 'lever.close', uid, { id: String(id), price: '60000' }).catch(String)
        await waitingFor(stage.database, 1)
        const reached = liquidation.plus(5).toFixed(2)
        for (const price of [reached, liquidation.minus(5).toFixed(2)]) stage.tick(price)
        await waitingFor(stage.database, 2)
        await held.free()
        expect(await asked).toMatch(/price_moved|state_wrong/)
        await expect
          .poll(async () => (await stage.call('lever.history', uid)).list)
          .toMatchObject([{ position_id: id, reason: 'liquidated', price: reached }])
        await expectSoundMoney(stage.database)
      } finally {
        await stage.stop()
      }
    },
  )

  test.skipIf(engine.name === 'pglite')('the note for the node that comes after waits for nights that are charged late', async () => {
    const stage = await openLeverStage(engine)
    const limits = runnerLimits as { progressBehindMs: number }
    const { progressBehindMs } = runnerLimits
    limits.progressBehindMs = 50
    try {
      stage.tick('50000')
      await stage.started()
      const uid = await stage.customer('1000')
      const { id } = await stage.call('lever.orderOpen', uid, { ...order, side: 'long' })
      stage.tick('50000', 'BTCUSDT', Math.ceil(stage.now() / dayMs) * dayMs - 1_000 - stage.now())
      const before = stage.market.reads.lastPrice('BTCUSDT')!.tickId
      stage.later(2_000)
      const held = await holdRow(stage.database, id)
      stage.tick('50001')
      const { runner: acting } = stage.lever
      const notedTo = async () => (await stage.database.db.selectFrom('lever_progress').select('tick').executeTakeFirst())?.tick ?? 0
      // The second part of the first look waits for the row.
      const looks = [acting.look()]
      await waitingFor(stage.database, 1)
      for (let at = 0; at < 2; at++) {
        looks.push(acting.look())
        await new Promise((wake) => setTimeout(wake, 200))
        await stage.trading.changed()
      }
      expect(await notedTo()).toBeLessThanOrEqual(before)
      await held.free()
      await Promise.all(looks)
      const notedNow = async () => {
        await stage.trading.changed()
        await acting.look()
        return notedTo()
      }
      await expect.poll(notedNow).toBeGreaterThan(before)
    } finally {
      limits.progressBehindMs = progressBehindMs
      await stage.stop()
    }
  })

  test.skipIf(engine.name === 'pglite' || natsMissing() !== undefined)(
    'what a customer changes at another node acts at once where a bus connects the nodes',
    async () => {
      const nats = await startNats()
      const limits = runnerLimits as { lookEveryMs: number }
      const { lookEveryMs } = runnerLimits
      // Only the bus announces it.
      limits.lookEveryMs = 600_000
      const log = createLog('silent')
      const buses = [await createNatsBus(nats.url, log), await createNatsBus(nats.url, log)]
      const stage = await openLeverStage(engine, { buses })
      try {
        stage.tick('50000')
        await stage.levers[0]!.start()
        await expect.poll(() => stage.levers[0]!.runner.isLive()).toBe(true)
        const uid = await stage.customer('1000')
        const opened = await stage.callAt(1, 'lever.orderOpen', uid, { ...order, side: 'long' })
        await expect.poll(() => stage.levers[0]!.counts().watched).toBe(1)
        await stage.callAt(1, 'lever.setStopPrice', uid, { id: String(opened.id), stop_loss_price: '49900' })
        stage.tick('49890')
        await expect
          .poll(async () => (await stage.call('lever.history', uid)).list)
          .toMatchObject([{ position_id: opened.id, reason: 'stop_loss', price: '49890' }])
        await expectSoundMoney(stage.database)
      } finally {
        limits.lookEveryMs = lookEveryMs
        await stage.stop()
        for (const bus of buses) await bus.close()
        await nats.stop()
      }
    },
  )

  test.each(['halts', 'closed hours'] as const)(
    'prices during %s that are over do nothing, also for a node that reads them again',
    async (kind) => {
      const stage = await openLeverStage(engine)
      const never = { zone: 'UTC', sessions: [{ day: 1, from: '00:00', to: '00:01' }], holidays: [], days: [] }
      const stop = async (isOn: boolean) => {
        if (kind === 'halts') return stage.halt('BTCUSDT', isOn)
        const hours = { group: 'currency', calendar: isOn ? never : undefined, changed_by: 'test', at: stage.now() }
        await stage.database.transaction((tx) => stage.terms.setCalendar(tx, hours))
        await stage.trading.changed()
      }
      try {
        const midnight = Math.ceil(stage.now() / dayMs) * dayMs
        stage.tick('50000', 'BTCUSDT', midnight - 10_000 - stage.now())
        await stage.started()
        const uid = await stage.customer('100000')
        await stage.call('lever.orderOpen', uid, { ...order, side: 'long', stop_loss_price: '49900' })
        const limit = { ...order, side: 'long', multiple: '20', type: 'limit', price: '49850' }
        await stage.call('lever.orderOpen', uid, limit)
        await stop(true)
        stage.tick('49800')
        stage.later(500)
        await stop(false)
        stage.tick('50000')
        // The night looks again at prices before midnight, and a node that takes over at those since the last note.
        stage.later(midnight + 1_000 - stage.now())
        await stage.lever.runner.look()
        await stage.lever.stop()
        const next = stage.make()
        await next.start()
        await expect.poll(() => next.runner.isLive()).toBe(true)
        await expect.poll(() => next.counts().pending).toBe(0)
        const states = async (status: string) => (await stage.call('lever.orderList', uid, { status })).list.map((row) => row.status)
        expect([await states('position'), await states('entrust')]).toEqual([['open'], ['entrust']])
        expect((await stage.call('lever.history', uid)).list).toEqual([])
        expect(await stage.database.db.selectFrom('lever_overnight').selectAll().execute()).toHaveLength(1)
        stage.tick('49800')
        await expect.poll(() => next.counts().pending).toBe(0)
        await expect
          .poll(async () => (await stage.call('lever.history', uid)).list)
          .toMatchObject([{ reason: 'stop_loss', price: '49800' }])
        await next.stop()
        await expectSoundMoney(stage.database)
      } finally {
        await stage.stop()
      }
    },
  )

  test('an order that more ticks have passed than memory keeps is filled and closed at those of the log', async () => {
    const stage = await openLeverStage(engine)
    try {
      stage.tick('50000')
      await stage.started()
      const uid = await stage.customer('1000')
      const stops = { target_profit_price: '50100', stop_loss_price: '49700' }
      await stage.call('lever.orderOpen', uid, { ...order, ...stops, side: 'long', type: 'limit', price: '49900' })
      const { id } = await stage.call('lever.orderOpen', uid, { ...order, side: 'long', type: 'limit', price: '49890' })
      await stage.lever.stop()
      for (const price of ['49880', '50150', '49650']) stage.tick(price)
      for (let at = 0; at <= 2 * runnerLimits.recentMax; at++) stage.tick('50000', 'BTCUSDT', 1)
      const next = stage.make()
      await next.start()
      await expect.poll(() => next.counts()).toMatchObject({ acting: 1, pending: 0, closed: 1, liquidated: 0, filled: 2, watched: 1 })
      expect((await stage.call('lever.history', uid)).list).toMatchObject([{ reason: 'take_profit', price: '50150' }])
      // The other one has missed nothing, and goes on with what comes.
      stage.tick('49300')
      await expect.poll(() => next.counts()).toMatchObject({ pending: 0, closed: 2 })
      expect((await stage.call('lever.history', uid)).list[0]).toMatchObject({ position_id: id, price: '49300' })
      await next.stop()
      expect(await expectFiredAsTheLogSays(stage.database)).toBe(2)
    } finally {
      await stage.stop()
    }
  })

  test('a price that a node had in hand when it lost the price source fires nothing, neither an order nor a level', async () => {
    const stage = await openLeverStage(engine)
    try {
      stage.tick('50000')
      await stage.started()
      const uid = await stage.customer('1000')
      const { id } = await stage.call('lever.orderOpen', uid, { ...order, side: 'long', stop_loss_price: '49900' })
      await stage.call('lever.orderOpen', uid, { ...order, side: 'long', type: 'limit', price: '49950' })
      const logged = vi.spyOn(stage.market.reads, 'logged').mockResolvedValue(() => false)
      stage.tick('49890')
      await expect.poll(() => stage.lever.counts().late).toBeGreaterThanOrEqual(2)
      await stage.settled()
      expect(stage.lever.counts()).toMatchObject({ fired: 0, filled: 0 })
      expect((await stage.call('lever.history', uid)).list).toEqual([])
      expect((await stage.call('lever.orderList', uid, { status: 'entrust' })).total).toBe(1)
      logged.mockRestore()
      stage.tick('49880')
      await expect.poll(() => stage.lever.counts()).toMatchObject({ pending: 0, filled: 1, closed: 1 })
      expect((await stage.call('lever.history', uid)).list).toMatchObject([{ position_id: id, reason: 'stop_loss', price: '49880' }])
    } finally {
      await stage.stop()
    }
  })

  test('what was marked and not paid is paid by the node that comes after', async () => {
    const stage = await openLeverStage(engine)
    try {
      stage.tick('50000')
      await stage.started()
      const uid = await stage.customer('1000')
      const { id } = await stage.call('lever.orderOpen', uid, { ...order, side: 'long', target_profit_price: '50100' })
      await stage.lever.stop()
      stage.tick('50100')
      const marked = { state: 'closing', close_reason: 'take_profit', close_price: '50100', close_tick: 2 } as const
      await stage.database.db.updateTable('lever_position').set(marked).where('id', '=', id).execute()
      const refusals = ['lever.close', 'lever.reverse', 'lever.cancel'] as const
      for (const call of refusals) await expect(stage.call(call, uid, { id: String(id) })).rejects.toMatchObject({ code: 'state_wrong' })
      await expect(stage.call('lever.margin', uid, { id: String(id), action: 'add', amount: '1' })).rejects.toMatchObject({
        code: 'state_wrong',
      })
      await expect(stage.call('lever.setStopPrice', uid, { id: String(id), stop_loss_price: '1' })).rejects.toMatchObject({
        code: 'state_wrong',
      })
      const next = stage.make()
      await next.start()
      await expect
        .poll(async () => (await stage.call('lever.history', uid)).list.map(({ reason, price }) => `${reason} ${price}`))
        .toEqual(['take_profit 50100'])
      await next.stop()
      await expectSoundMoney(stage.database)
    } finally {
      await stage.stop()
    }
  })
})
