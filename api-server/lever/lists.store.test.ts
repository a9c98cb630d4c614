import Big from 'big.js'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { leverMigrations } from '#api-server/lever/lever.migration.ts'
import { less, sum } from '#contract/money.ts'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { type LeverStage, openLeverStage } from '#tests/support/databases/lever-stage.ts'
import { refused } from '#tests/support/databases/wallet-stage.ts'

/** A customer who lost 100 USDT with an option on the second day of each month. */
let optionUid: number | undefined
const lost = (_uid: number, currency: number, from: number, to: number) => ({
  day: to - from > 86_400_000 && currency === 3 ? from + 86_400_000 : Number.NaN,
  profit: '-100',
  settled: 1,
})
const opening = { match_id: 'BTCUSDT', lots: '10', multiple: '20' }

onEngines('what is read of contracts', (engine) => {
  let stage: LeverStage
  beforeAll(async () => {
    stage = await openLeverStage(engine, { options: { days: async (...asked) => (asked[0] === optionUid ? [lost(...asked)] : []) } })
    await stage.started()
  })
  afterAll(() => stage.stop())

  const open = (uid: number, over: Record<string, string> = {}, key?: string) =>
    stage.call('lever.orderOpen', uid, { ...opening, side: 'long', ...over }, key)
  /** A position at 50,000 of a customer with 1,000. */
  async function positioned(over: Record<string, string> = {}, amount = '1000') {
    stage.tick('50000')
    const uid = await stage.customer(amount)
    return { uid, id: String((await open(uid, over)).id) }
  }

  test('what is right at the edge is taken', async () => {
    stage.tick('50000')
    const uid = await stage.customer('252.5')
    expect(await open(uid, { match_id: '1', price: '49950.1', worst_price: '50000', currency_id: '1', legal_id: '3' })).toMatchObject({
      status: 'open',
    })
    expect(await stage.has(uid)).toBe('0/0')
  })

  test('the ticket says what it needs', async () => {
    await stage.setTerms({ spread: '0.0002' })
    stage.tick('50000')
    const uid = await stage.customer('1000')
    expect(await stage.call('lever.deal', uid, { match_id: 'BTCUSDT' })).toMatchObject({
      mark: '50000',
      open_price_long: '50005',
      open_price_short: '49995',
      available: '1000',
      positions: 0,
      entrusts: 0,
      stale: false,
      scale: 8,
      price_scale: 2,
      legal_id: 3,
      currency_id: 1,
      lots_step: '0.01',
      open: true,
      halted: false,
    })
    expect(await open(uid)).toMatchObject({ open_price: '50005' })
    expect((await stage.call('lever.closeAll', uid)).closed).toMatchObject([{ price: '49995', profit: '-1' }])
    await stage.setTerms({ spread: '0' })
  })

  test('all positions are closed at what the screen showed, within the tolerance of their markets', async () => {
    stage.tick('50000')
    const uid = await stage.customer('1000')
    await open(uid)
    stage.tick('50100')
    // Ten lots are worth 5,010 at this price, and 0.1 % of it is 5.01.
    const { closings } = await stage.call('lever.dealall', uid)
    expect(closings).toEqual([
      { type: '0', count: 1, unrealised: '10', worst_unrealised: '4.99', result: '4.995' },
      { type: '1', count: 1, unrealised: '10', worst_unrealised: '4.99', result: '4.995' },
      { type: '2', count: 0, unrealised: '0', worst_unrealised: '0', result: '0' },
    ])
    const close = () => stage.call('lever.closeAll', uid, { worst_unrealised: closings[0]!.worst_unrealised })
    stage.tick('50049.89')
    expect(await refused(close())).toBe('price_moved worst_unrealised')
    stage.tick('50049.9')
    expect((await close()).closed).toMatchObject([{ profit: '4.99' }])
  })

  test('the history by symbol, side and time, as a file, and by days', async () => {
    const { uid, id } = await positioned()
    const since = stage.now()
    stage.tick('51000')
    await stage.call('lever.close', uid, { id })
    stage.tick('51000')
    await open(uid, { side: 'short', lots: '1' })
    await stage.call('lever.closeAll', uid)
    const total = async (fields: Record<string, string>) => (await stage.call('lever.history', uid, fields)).total
    expect(await total({})).toBe(2)
    expect(await total({ side: 'short' })).toBe(1)
    expect(await total({ match_id: 'ETHUSDT' })).toBe(0)
    expect(await total({ from: String(since), to: String(since + 1_500) })).toBe(1)
    expect(await refused(total({ from: '1795000000', to: '1794000000' }))).toBe('range_reversed to')
    expect(await refused(total({ page: '100000', size: '100' }))).toBe('range_too_wide page')
    const file = await stage.call('lever.exportHistory', uid, { side: 'long' }, undefined, 'fr')
    expect(file).toMatchObject({ rows: 1, cut: false })
    expect(file.text.split('\r\n')[1]).toMatch(
      /^2026-.*Z,BTC\/USDT,Long,20,10,50000,51000,250,100,2.5,2.55,0,94.95,Clôturée par vous,2026-.*Z,\d+$/,
    )
    const month = new Date(since).toISOString().slice(0, 7)
    const days = await stage.call('lever.profit', uid, { month })
    expect(days).toMatchObject({ month, profit: '100', fee: '5.56', overnight: '0', result: '94.44' })
    expect(days.list).toMatchObject([{ date: new Date(since).toISOString().slice(0, 10), closes: 2 }])
    expect((await stage.call('lever.profit', uid, { month: '2020-01' })).list).toEqual([])
  })

  test('the calendar counts options too, or one of the two products', async () => {
    const { uid, id } = await positioned()
    stage.tick('51000')
    await stage.call('lever.close', uid, { id })
    optionUid = uid
    const month = new Date(stage.now()).toISOString().slice(0, 7)
    const ofClosing = { date: new Date(stage.now()).toISOString().slice(0, 10), closes: 1, options: 0, result: '94.95' }
    const ofOption = { date: `${month}-02`, closes: 0, options: 1, profit: '-100', fee: '0', overnight: '0', result: '-100' }
    const sums = { month, currency_code: 'USDT' }
    expect(await stage.call('lever.profit', uid)).toMatchObject({ ...sums, result: '-5.05', fee: '5.05', list: [ofOption, ofClosing] })
    expect(await stage.call('lever.profit', uid, { product: 'contract' })).toMatchObject({ ...sums, result: '94.95', list: [ofClosing] })
    expect(await stage.call('lever.profit', uid, { product: 'option', month })).toMatchObject({ ...sums, result: '-100', list: [ofOption] })
    const other = await stage.customer('0')
    expect((await stage.call('lever.profit', other)).list).toEqual([])
  })

  test('positions and orders by market, side and the time at which they ended, else were opened or placed', async () => {
    const { uid, id } = await positioned()
    stage.tick('2500', 'ETHUSDT')
    await open(uid, { match_id: 'ETHUSDT', lots: '1', side: 'short' })
    const waiting = await open(uid, { type: 'limit', price: '49000', lots: '1' })
    const opened = stage.now()
    stage.tick('51000', 'BTCUSDT', 60_000)
    await stage.call('lever.close', uid, { id })
    await stage.call('lever.cancel', uid, { id: String(waiting.id) })
    const total = async (fields: Record<string, string>) => (await stage.call('lever.orderList', uid, fields)).total
    const later = String(opened + 1)
    expect(await total({ status: 'position' })).toBe(1)
    expect(await total({ status: 'position', match_id: 'BTCUSDT' })).toBe(0)
    expect(await total({ status: 'position', side: 'long' })).toBe(0)
    expect(await total({ status: 'position', side: 'short', to: later })).toBe(1)
    expect(await total({ status: 'position', from: later })).toBe(0)
    expect(await total({ status: 'history', from: later })).toBe(1)
    expect(await total({ status: 'history', to: later })).toBe(0)
    expect(await total({ status: 'cancelled', side: 'long', from: later })).toBe(1)
    expect(await total({ status: 'cancelled', to: later })).toBe(0)
    expect(await refused(total({ from: '1795000000', to: '1794000000' }))).toBe('range_reversed to')
    await stage.call('lever.closeAll', uid)
  })

  test('closings of before get their parts: of the opening fee by lots, of nights what was paid since the closing before', async () => {
    const { uid, id } = await positioned()
    const night = 86_400_000
    stage.tick('50000', 'BTCUSDT', night)
    await stage.call('lever.close', uid, { id, lots: '4' })
    stage.tick('51000', 'BTCUSDT', night)
    await stage.settled()
    await stage.call('lever.close', uid, { id })
    const rows = async () => (await stage.call('lever.history', uid, { position_id: id })).list
    const order = () => stage.call('lever.order', uid, { id })
    const [now, closed] = [await rows(), await order()]
    const rates = { open_fee: ['1.5', '1'], overnight: ['1.2', '0.4'] }
    const parts = (list: typeof now) => ({ open_fee: list.map((row) => row.open_fee), overnight: list.map((row) => row.overnight) })
    expect(parts(now)).toEqual({ ...rates, overnight: [now[0]!.overnight, '0.4'] })
    await stage.database.transaction(async (tx) => {
      for (const statement of [
        'alter table lever_close drop column open_fee, drop column overnight',
        'alter table lever_position drop column overnight_closed, drop column closed_worth',
      ])
        await sql.raw(statement).execute(tx)
      await leverMigrations.find((step) => step.id === 'lever-parts')!.up(tx)
    })
    expect(parts(await rows())).toEqual({ open_fee: ['1.5', '1'], overnight: [less(closed.overnight, '1'), '1'] })
    expect(await order()).toEqual(closed)
    expect(closed).toMatchObject({ exit_price: '50600', overnight_open: '0' })
    const total = (await rows()).reduce((all, row) => sum(all, row.result), '0')
    expect(total).toBe(closed.result)
    // The rows that have ended are guarded again.
    await expect(sql`update lever_position set closed_worth = 0 where id = ${Number(id)}`.execute(stage.database.db)).rejects.toThrow(
      /does not go/,
    )
  })

  test('each closing says why it happened, its parts of what was paid before, and the ticks that prove its prices', async () => {
    await stage.setTerms({ spread: '0.0002' })
    const { uid, id } = await positioned({ stop_loss_price: '49500' })
    const hour = 3_600_000
    const night = 24 * hour
    stage.tick('50000', 'BTCUSDT', night)
    await stage.call('lever.close', uid, { id, lots: '4' })
    stage.tick('50000', 'BTCUSDT', night)
    stage.tick('49400', 'BTCUSDT', hour)
    await stage.settled()
    const { list } = await stage.call('lever.history', uid, { position_id: id })
    expect(list).toMatchObject([
      { reason: 'stop_loss', lots: '6', lots_left: '0', overnight: '1.2' },
      { reason: 'user', lots: '4', lots_left: '6', overnight: '0.4' },
    ])
    expect(await stage.call('lever.order', uid, { id })).toMatchObject({ overnight: '1.6' })
    const detail = await stage.call('lever.closing', uid, { id: String(list[0]!.id) })
    expect(detail).toMatchObject({
      ...list[0],
      spread: '0.0002',
      level: '49500',
      price: '49395.06',
      open_tick: { symbol: 'BTCUSDT', price: '50000.00' },
      tick: { tick_id: list[0]!.tick_id, symbol: 'BTCUSDT', price: '49400.00' },
    })
    expect(await stage.call('lever.closing', uid, { id: String(list[1]!.id) })).toMatchObject({ level: null })
    await stage.setTerms({ spread: '0' })

    const other = await positioned()
    expect(await refused(stage.call('lever.closing', other.uid, { id: String(detail.id) }))).toBe('order_unknown id')
    expect((await stage.call('lever.history', other.uid, { position_id: id })).total).toBe(0)
    expect(await stage.call('lever.exportHistory', other.uid, { position_id: id })).toMatchObject({ rows: 0 })
    const { closed } = await stage.call('lever.reverse', other.uid, { id: other.id })
    expect(closed).toMatchObject({ reason: 'reversed' })
    expect(await stage.call('lever.order', other.uid, { id: other.id })).toMatchObject({ close_reason: 'reversed' })
    stage.tick('60000')
    await stage.settled()
    const [liquidated] = (await stage.call('lever.history', other.uid, {})).list
    expect(liquidated).toMatchObject({ reason: 'liquidated', side: 'short' })
    expect(await stage.call('lever.closing', other.uid, { id: String(liquidated!.id) })).toMatchObject({ level: '52238.81' })
  })

  test('the house reads what it has at stake, what was liquidated and what the insurance fund has', async () => {
    stage.tick('100', 'SOLUSDT')
    const [uid, other] = [await stage.customer('1000'), await stage.customer('1000')]
    await open(uid, { match_id: 'SOLUSDT', lots: '10', multiple: '10' })
    await open(other, { match_id: 'SOLUSDT', lots: '4', multiple: '10', side: 'short' })
    const { reads } = stage.lever
    stage.tick('101', 'SOLUSDT')
    expect((await reads.exposure()).find(({ symbol }) => symbol === 'SOLUSDT')).toEqual({
      symbol: 'SOLUSDT',
      base: 'SOL',
      currency_code: 'USDT',
      positions: 2,
      long: '10',
      short: '4',
      margin: '140',
      net: '606',
      unrealised: '6',
    })
    const before = (await reads.insurance()).find(({ currency_code }) => currency_code === 'USDT')?.balance ?? '0'
    stage.tick('80', 'SOLUSDT')
    await stage.settled()
    const { list } = await reads.liquidations({ offset: 0, size: 1 })
    expect(list).toMatchObject([{ uid, currency_code: 'USDT', reason: 'liquidated', margin: '100', insurance: '-100', price: '80' }])
    const whole = await reads.liquidations({ offset: 0, size: 100 })
    const newest = await reads.liquidationsBefore(undefined, 1)
    expect(newest).toEqual(list)
    expect([...newest, ...(await reads.liquidationsBefore(list[0]!.id, 100))]).toEqual(whole.list)
    expect(await reads.insurance()).toEqual([{ currency_code: 'USDT', balance: new Big(before).minus(100).toFixed() }])
  })

  test('who hears of fills and closings hears of each', async () => {
    const heard: string[] = []
    const off = stage.lever.listen({
      onFilled: ({ id }) => void heard.push(`filled ${id}`),
      onClosed: ({ id }, close) => void heard.push(`closed ${id} ${close.lots}`),
    })
    const { uid, id } = await positioned({ stop_loss_price: '49000' })
    await stage.call('lever.close', uid, { id, lots: '1' })
    stage.tick('49000')
    await stage.settled()
    off()
    expect(heard).toEqual([`filled ${id}`, `closed ${id} 1`, `closed ${id} 9`])
  })

  test('what was moved here agrees with the rows', async () => {
    stage.tick('50000')
    await stage.settled()
    await expectSoundMoney(stage.database)
  })
})
