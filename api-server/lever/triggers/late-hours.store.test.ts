import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runnerLimits } from '#api-server/lever/triggers/runner.ts'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { type LeverStage, openLeverStage } from '#tests/support/databases/lever-stage.ts'
import { refused } from '#tests/support/databases/wallet-stage.ts'
import { eventually } from '#tests/support/eventually.ts'

const dayMs = 24 * 3_600_000
const order = { match_id: 'BTCUSDT', side: 'long', lots: '1', multiple: '20' }
const never = { zone: 'UTC', sessions: [{ day: 1, from: '00:00', to: '00:01' }], holidays: [], days: [] }

onEngines('a node that hears late of halts and hours', (engine) => {
  let stage: LeverStage
  let uid: number
  beforeEach(async () => {
    stage = await openLeverStage(engine)
    stage.tick('50000')
    uid = await stage.customer('100000')
  })
  afterEach(async () => {
    try {
      await stage.settled()
      await expectSoundMoney(stage.database)
    } finally {
      await stage.stop()
    }
  })

  /** Closes or opens the market; late nodes hear nothing of it. */
  async function setClosed(by: 'halt' | 'hours', isClosed: boolean): Promise<void> {
    if (by === 'halt') return stage.halt('BTCUSDT', isClosed)
    const hours = { group: 'currency', calendar: isClosed ? never : undefined, changed_by: 'test', at: stage.now() }
    await stage.database.transaction((tx) => stage.terms.setCalendar(tx, hours))
    await stage.trading.changed()
  }
  /** A position with a stop loss at 49,900, and an order that waits at 49,850. */
  async function placed() {
    const position = await stage.call('lever.orderOpen', uid, { ...order, stop_loss_price: '49900' })
    const waiting = await stage.call('lever.orderOpen', uid, { ...order, type: 'limit', price: '49850' })
    return { position: String(position.id), waiting: String(waiting.id) }
  }
  const closings = async () => (await stage.call('lever.history', uid)).list.map(({ reason, price }) => `${reason} ${price}`)
  const statusOf = async (id: string) => (await stage.call('lever.order', uid, { id })).status

  describe.each([
    ['the end of a halt', 'halt'],
    ['new trading hours', 'hours'],
  ] as const)('%s', (_what, by) => {
    /** A late node acts. Prices before the market opens act on nothing; the first one after it reaches the stop loss, and no other level. */
    async function reached() {
      const ids = await placed()
      await setClosed(by, true)
      const acting = await stage.lateNode()
      await acting.start()
      stage.tick('49800')
      stage.later(500)
      await setClosed(by, false)
      stage.tick('49890')
      stage.tick('49880')
      await stage.settled()
      expect(await closings()).toEqual([])
      return { ...ids, acting }
    }
    async function expectSame({ position, waiting }: { position: string; waiting: string }): Promise<void> {
      await eventually(closings).toEqual(['stop_loss 49890'])
      expect([await statusOf(position), await statusOf(waiting)]).toEqual(['closed', 'entrust'])
    }

    test('acts on the prices since, each once and in order, once the node hears of it', async () => {
      const { acting, ...ids } = await reached()
      await acting.hear()
      await expectSame(ids)
      await acting.hear()
      stage.tick('49840')
      await eventually(() => statusOf(ids.waiting)).toBe('open')
      await stage.settled()
      expect(await closings()).toEqual(['stop_loss 49890'])
    })

    test('acts in the same way where another node takes over first', async () => {
      const { acting, ...ids } = await reached()
      await acting.lever.stop()
      await stage.lever.start()
      await expectSame(ids)
    })

    test('acts in the same way where the node that takes over hears of it after that', async () => {
      const ids = await placed()
      await setClosed(by, true)
      const next = await stage.lateNode()
      stage.tick('49800')
      stage.later(500)
      await setClosed(by, false)
      stage.tick('49890')
      stage.tick('49880')
      await next.start()
      await stage.settled()
      expect(await closings()).toEqual([])
      await next.hear()
      await expectSame(ids)
    })

    test('acts in the same way where memory no longer has the price', async () => {
      const limits = runnerLimits as { recentMax: number }
      const { recentMax } = runnerLimits
      limits.recentMax = 2
      try {
        const { acting, ...ids } = await reached()
        for (let at = 0; at < 2 * runnerLimits.recentMax; at++) stage.tick('50000')
        await acting.hear()
        await expectSame(ids)
      } finally {
        limits.recentMax = recentMax
      }
    })

    test('a customer cannot get ahead of a price of which the node does not know that it acts', async () => {
      const { acting, position, waiting } = await reached()
      const changed = { id: position, stop_loss_price: '49000' }
      expect(await refused(stage.callAt(acting.node, 'lever.setStopPrice', uid, changed))).toBe('state_wrong')
      expect(await refused(stage.call('lever.close', uid, { id: position }))).toBe('state_wrong')
      const moved = { id: waiting, stop_loss_price: '49000' }
      expect(await stage.callAt(acting.node, 'lever.setStopPrice', uid, moved)).toMatchObject({ status: 'entrust' })
      await acting.hear()
      await expectSame({ position, waiting })
    })

    test('a night that the node charges comes after what the prices before it have fired', async () => {
      const { position } = await placed()
      const midnight = Math.ceil(stage.now() / dayMs) * dayMs
      stage.later(midnight - 10_000 - stage.now())
      await setClosed(by, true)
      const acting = await stage.lateNode()
      await acting.start()
      stage.tick('49800')
      stage.later(500)
      await setClosed(by, false)
      stage.tick('49890')
      stage.later(midnight + 1_000 - stage.now())
      await acting.lever.runner.look()
      await eventually(() => statusOf(position)).toBe('closed')
      expect(await closings()).toEqual(['stop_loss 49890'])
      expect(await stage.database.db.selectFrom('lever_overnight').selectAll().execute()).toEqual([])
    })

    test('the note for the node that comes after waits until halts and hours were read', async () => {
      const limits = runnerLimits as { progressBehindMs: number }
      const { progressBehindMs } = runnerLimits
      limits.progressBehindMs = 0
      try {
        const { acting, ...ids } = await reached()
        acting.fail()
        const { tickId } = stage.market.reads.lastPrice('BTCUSDT')!
        const notedTo = async () => (await stage.database.db.selectFrom('lever_progress').select('tick').executeTakeFirst())?.tick ?? 0
        for (let at = 0; at < 3; at++) await acting.lever.runner.look()
        expect(await notedTo()).toBeLessThan(tickId)
        await acting.hear()
        await expectSame(ids)
        for (let at = 0; at < 2; at++) {
          await acting.hear()
          await acting.lever.runner.look()
        }
        expect(await notedTo()).toBe(tickId)
      } finally {
        limits.progressBehindMs = progressBehindMs
      }
    })
  })

  describe.each([
    ['a halt that begins', 'halt'],
    ['trading hours that end', 'hours'],
  ] as const)('%s', (_what, by) => {
    test('keeps prices from acting from its commit on, also on a node that has not heard of it', async () => {
      const ids = await placed()
      const acting = await stage.lateNode()
      await acting.start()
      await setClosed(by, true)
      stage.tick('49800')
      stage.tick('49700')
      await stage.settled()
      expect([await closings(), await statusOf(ids.position), await statusOf(ids.waiting)]).toEqual([[], 'open', 'entrust'])
      await acting.hear()
      stage.tick('49600')
      stage.later(500)
      await setClosed(by, false)
      await acting.hear()
      await stage.settled()
      expect([await closings(), await statusOf(ids.position), await statusOf(ids.waiting)]).toEqual([[], 'open', 'entrust'])
      stage.tick('49880')
      await eventually(closings).toEqual(['stop_loss 49880'])
      expect(await statusOf(ids.waiting)).toBe('entrust')
    })

    test('a price that has acted before its commit stays', async () => {
      const ids = await placed()
      await stage.started()
      const began = stage.now()
      stage.tick('49890')
      await eventually(closings).toEqual(['stop_loss 49890'])
      const before = stage.now()
      stage.later(began - before)
      await setClosed(by, true)
      stage.later(before - began)
      await stage.lever.stop()
      const next = await stage.lateNode()
      await next.start()
      await stage.settled()
      expect([await closings(), await statusOf(ids.waiting)]).toEqual([['stop_loss 49890'], 'entrust'])
    })
  })
})
