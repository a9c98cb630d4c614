import { afterEach, beforeEach, expect, test } from 'vitest'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { expectFiredAsTheLogSays } from '#tests/support/databases/lever-scan.ts'
import { holdRow, type LeverStage, openLeverStage, waitingFor } from '#tests/support/databases/lever-stage.ts'
import { refused } from '#tests/support/databases/wallet-stage.ts'

const dayMs = 24 * 3_600_000
const order = { match_id: 'BTCUSDT', side: 'long', lots: '10', multiple: '20' }

onEngines('customers get ahead of no price that has reached them', (engine) => {
  let stage: LeverStage
  beforeEach(async () => {
    stage = await openLeverStage(engine)
    stage.tick('50000')
  })
  afterEach(async () => {
    try {
      await stage.settled()
      await expectSoundMoney(stage.database)
    } finally {
      await stage.stop()
    }
  })
  /** An order or a position of a customer with 1,000. */
  async function opened(over: Record<string, string> = {}) {
    const uid = await stage.customer('1000')
    return { uid, id: String((await stage.call('lever.orderOpen', uid, { ...order, ...over })).id) }
  }
  const one = (uid: number, id: string) => stage.call('lever.order', uid, { id })

  test('what a price has reached cannot be changed or undone while nobody acts on it yet', async () => {
    const position = await opened({ stop_loss_price: '49500' })
    const waiting = await opened({ type: 'limit', price: '49600' })
    const away = await opened({ type: 'limit', price: '49000' })
    stage.tick('49400')
    stage.tick('50200')
    const { uid, id } = position
    expect(await refused(stage.call('lever.close', uid, { id }))).toBe('state_wrong')
    expect(await refused(stage.call('lever.reverse', uid, { id }))).toBe('state_wrong')
    expect(await refused(stage.call('lever.margin', uid, { id, action: 'add', amount: '100' }))).toBe('state_wrong')
    expect(await refused(stage.call('lever.setStopPrice', uid, { id, stop_loss_price: '49000' }))).toBe('state_wrong')
    expect(await stage.call('lever.closeAll', uid, { type: '0' })).toMatchObject({ closed: [], failed: [{ problem: 'state_wrong' }] })
    expect(await refused(stage.call('lever.cancel', waiting.uid, { id: waiting.id }))).toBe('state_wrong')
    expect(await stage.call('lever.cancel', away.uid, { id: away.id })).toMatchObject({ status: 'cancelled' })
    await stage.started()
    await stage.settled()
    expect(await one(uid, id)).toMatchObject({ status: 'closed', close_reason: 'stop_loss', close_price: '49400' })
    expect(await one(waiting.uid, waiting.id)).toMatchObject({ status: 'open', open_price: '49400' })
    await expectFiredAsTheLogSays(stage.database)
  })

  test.skipIf(engine.name === 'pglite')('what all positions bring is judged at the prices that they are closed at', async () => {
    const { uid, id } = await opened()
    stage.tick('49950')
    const held = await holdRow(stage.database, Number(id))
    const asked = refused(stage.call('lever.closeAll', uid, { type: '0', worst_unrealised: '4.99' }))
    await waitingFor(stage.database, 1)
    // At the last price it would bring 10, but it would be closed at 49,950.
    stage.tick('50100')
    await held.free()
    expect(await asked).toBe('price_moved worst_unrealised')
    expect(await one(uid, id)).toMatchObject({ status: 'open' })
  })

  test('an order is refused when other terms count than those that were shown', async () => {
    const { terms_version } = await stage.call('lever.deal', await stage.customer(), { match_id: 'BTCUSDT' })
    const shown = { terms_version: String(terms_version) }
    const { uid, id } = await opened(shown)
    await stage.setTerms({ fee_rate: '0.01' })
    stage.tick('50000')
    expect(await refused(opened(shown))).toBe('terms_changed')
    expect(await refused(stage.call('lever.reverse', uid, { id, ...shown }))).toBe('terms_changed')
    const now = { terms_version: String((await stage.call('lever.deal', uid, { match_id: 'BTCUSDT' })).terms_version) }
    expect(now).not.toEqual(shown)
    const { closed, opened: other } = await stage.call('lever.reverse', uid, { id, ...now })
    // The terms of its opening count for its closing, and the present fee for the new one.
    expect([closed.fee, other.fee]).toEqual(['2.5', '50'])
    await stage.setTerms({ fee_rate: '0.0005' })
  })

  test('a position is reversed into one of the same size when a lot is another now', async () => {
    const { uid, id } = await opened({ lots: '10' })
    await stage.setTerms({ lot_size: '0.1' })
    stage.tick('50000')
    const { opened: other } = await stage.call('lever.reverse', uid, { id })
    expect(other).toMatchObject({ side: 'short', lots: '1', lot_size: '0.1', margin: '250' })
    await stage.setTerms({ lot_size: '0.03' })
    stage.tick('50000')
    expect(await refused(stage.call('lever.reverse', uid, { id: String(other.id) }))).toMatch(/^size_wrong/)
    await stage.setTerms({ lot_size: '0.01' })
  })

  test('an order that is filled after midnight by a price from before it owes that night', async () => {
    const { uid, id } = await opened({ type: 'limit', price: '49000' })
    const midnight = Math.ceil(stage.now() / dayMs) * dayMs
    stage.tick('49000', 'BTCUSDT', midnight - 500 - stage.now())
    stage.later(5_000)
    await stage.started()
    await stage.settled()
    await stage.lever.runner.look()
    expect(await one(uid, id)).toMatchObject({ status: 'open', open_price: '49000', overnight: '0.98' })
    const nights = await stage.database.db.selectFrom('lever_overnight').select(['night', 'price']).execute()
    expect(nights).toEqual([{ night: midnight, price: '49000' }])
  })

  test('a night is not charged while the log may lack ticks of before it', async () => {
    const { uid, id } = await opened()
    const midnight = Math.ceil(stage.now() / dayMs) * dayMs
    stage.tick('50500', 'BTCUSDT', midnight - 1_000 - stage.now())
    stage.tick('50600', 'BTCUSDT', 2_000)
    const { logEndAfter } = stage.market.reads
    const close = () => stage.call('lever.close', uid, { id, lots: '1' })
    // As on a node that does not run the source.
    stage.market.reads.logEndAfter = async () => undefined
    expect(await refused(close())).toBe('busy')
    expect(await one(uid, id)).toMatchObject({ overnight: '0' })
    stage.market.reads.logEndAfter = logEndAfter
    await close()
    expect(await one(uid, id)).toMatchObject({ overnight: '1.01' })
  })
})
