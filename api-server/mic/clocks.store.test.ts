import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLocalBus } from '#server-kit/ops/bus.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { type MicStage, micStageOn } from '#tests/support/databases/mic-stage.ts'
import { expectSettledAsTheLogSays } from '#tests/support/databases/option-scan.ts'
import { openWalletStage, refused, type WalletStage } from '#tests/support/databases/wallet-stage.ts'
import { eventually } from '#tests/support/eventually.ts'

/** How far clocks of nodes are from that of the node that runs the price source. A price may be ten seconds old. */
const apartMs = { far: 30_000, near: 9_000, hour: 3_600_000 }
const order = { match_id: 'BTCUSDT', currency_id: '3', type: 'up', seconds: '30', number: '100' }

onEngines('seconds options on nodes whose clocks are apart', (engine) => {
  let wallet: WalletStage
  /** Runs the price source. Its clock is that of the log. */
  let source: MicStage
  const others: MicStage[] = []
  beforeAll(async () => {
    wallet = await openWalletStage(engine)
    const bus = { ...createLocalBus(createLog('silent')), shared: true }
    const node = (apart: number) => micStageOn(wallet, { bus, clock: { now: () => wallet.now() + apart } })
    source = await node(0)
    if (!source.market.counts().leading) throw new Error('the first node does not run the price source')
    for (const ms of Object.values(apartMs)) others.push(await node(ms), await node(-ms))
  })
  afterAll(async () => {
    await expectSettledAsTheLogSays(wallet.database)
    await expectSoundMoney(wallet.database)
    for (const one of [source, ...others]) await one.close()
  })

  /** The price is in the log, and every node has heard of it. */
  async function tick(price: string): Promise<void> {
    source.tick(price)
    const id = () => source.market.reads.lastPrice('BTCUSDT')?.tickId
    await source.market.reads.durable(id()!)
    await eventually(() => others.map(({ market }) => market.reads.lastPrice('BTCUSDT')?.tickId)).toEqual(others.map(id))
  }
  const settled = async () =>
    (await wallet.database.db.selectFrom('option_order').select('id').where('settled_at', 'is not', null).execute()).length
  /** All nodes settle at once. @returns how many were settled by it */
  async function settle(): Promise<number> {
    const before = await settled()
    await Promise.all([source, ...others].map((one) => one.settle()))
    return (await settled()) - before
  }
  const stateOf = async (uid: number, id: number) => {
    const { status, settle_price } = await source.call('mic.getOrderDetail', uid, { id: String(id) })
    return [status, settle_price]
  }

  test('an option is settled once by the price of the log at its expiry, whatever the clocks of those who settle show', async () => {
    await tick('50000')
    const uid = await source.customer()
    const { id } = await source.call('mic.orderOpen', uid, order)
    wallet.later(20_000)
    await tick('50002')
    expect(await settle()).toBe(0)
    wallet.later(9_999)
    await tick('50001')
    expect(await settle()).toBe(0)
    expect(await wallet.has(uid, 'USDT', 'micro')).toBe('900/100')
    wallet.later(2)
    await tick('40000')
    expect(await settle()).toBe(1)
    expect(await stateOf(uid, id)).toEqual(['won', '50001.00'])
    expect(await wallet.has(uid, 'USDT', 'micro')).toBe('1020/0')
    wallet.later(2 * apartMs.hour)
    await tick('50000')
    expect(await settle()).toBe(0)
  })

  test.each(Object.keys(apartMs) as (keyof typeof apartMs)[])(
    '%s: an option never lasts less than its duration by the log',
    async (name) => {
      wallet.later(600_000)
      await settle()
      await tick('50000')
      const at = 2 * Object.keys(apartMs).indexOf(name)
      for (const node of [others[at]!, others[at + 1]!]) {
        const uid = await source.customer()
        const asked = refused(node.call('mic.orderOpen', uid, order))
        // By its own clock the price is too old, or of the future.
        if (name !== 'near') expect(await asked).toBe('price_stale')
        else expect(await asked).toContain('"status":"holding"')
      }
      wallet.later(29_999)
      await tick('50001')
      expect(await settle()).toBe(0)
      wallet.later(60_000)
      await tick('50000')
      expect(await settle()).toBe(name === 'near' ? 2 : 0)
    },
  )
})
