import { afterAll, beforeAll, expect, test } from 'vitest'
import { followLimits } from '#api-server/follow/follow.rules.ts'
import { clockMoves } from '#tests/support/clock-moves.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { type FollowStage, openFollowStage } from '#tests/support/databases/follow-stage.ts'

const [hourMs, dayMs] = [3_600_000, 86_400_000]

onEngines('figures of traders', (engine) => {
  let stage: FollowStage
  let trader: number
  const held: { id: number }[] = []
  beforeAll(async () => {
    stage = await openFollowStage(engine, 2)
    await stage.started()
  })
  afterAll(() => stage.stop())

  const opens = (uid: number, lots: string, side = 'long') =>
    stage.call('lever.orderOpen', uid, { match_id: 'BTCUSDT', side, lots, multiple: '5' })
  const detail = () => stage.follow('follow.traderDetail', 0, { trader_user_id: String(trader) })
  const inList = async (filter: Record<string, string> = {}) =>
    (await stage.follow('follow.index', 0, { search: `T${trader}`, ...filter })).list.find((row) => row.trader_user_id === trader)
  /** The price at a moment, and the figures that both nodes take then. */
  async function at(moment: number, price: string): Promise<void> {
    stage.tick(price, 'BTCUSDT', moment - stage.now())
    for (const follow of stage.follows) await follow.statistics()
  }
  const nextDay = () => stage.now() - (stage.now() % dayMs) + dayMs

  test('what is open counts: at the last price on the page of the trader, at that of the hour in the list', async () => {
    stage.tick('50000')
    trader = await stage.trader()
    held.push(await opens(trader, '10'), await opens(trader, '2', 'short'))
    const hour = stage.now() - (stage.now() % hourMs) + hourMs
    // The last millisecond of the hour that the figures are of.
    await at(hour - 1, '49000')
    expect(await detail()).toMatchObject({ open: 2, open_profit: '-80', profit: '0' })
    expect(await inList()).toMatchObject({ open_profit: '0', equity: [{ value: '0' }] })
    await at(hour, '49000')
    expect(await inList()).toMatchObject({ open_profit: '-80', refreshed: hour, equity: [{ at: hour, value: '-80' }] })
    expect(await inList({ gaining: '1' })).toBeUndefined()
    await at(hour + hourMs - 1, '55000')
    expect(await inList()).toMatchObject({ open_profit: '-80', refreshed: hour })
    expect(await detail()).toMatchObject({ open_profit: '400', refreshed: hour })
  })

  test('a day has one point, the last that was taken on it, also when the clock goes back', async () => {
    const day = nextDay()
    const points = async () => (await detail()).equity.slice(-2)
    await at(day - 1, '50500')
    expect((await points()).at(-1)).toEqual({ at: day - 1, value: '40' })
    await at(day, '51000')
    expect(await points()).toEqual([
      { at: day - 1, value: '40' },
      { at: day, value: '80' },
    ])
    await at(day + 2 * hourMs, '52000')
    expect((await points()).at(-1)).toEqual({ at: day + 2 * hourMs, value: '160' })
    expect(await inList({ gaining: '1' })).toMatchObject({ profit: '0', open_profit: '160' })
    const before = (await detail()).equity
    await at(day + hourMs, '45000')
    expect((await detail()).equity).toEqual(before)
    await at(day + 3 * hourMs, '50000')
    expect(await points()).toEqual([
      { at: day - 1, value: '40' },
      { at: day + 3 * hourMs, value: '0' },
    ])
  })

  test('what is closed moves from what is open to what is realised, and days long past are dropped', async () => {
    for (const { id } of held) await stage.call('lever.close', trader, { id: String(id) })
    await at(nextDay() + followLimits.curveDays * dayMs, '51000')
    const { open, open_profit, profit, equity } = await detail()
    // Both at 50,000, less fees of 5 and 1, and 1.224 for the night at 51,000.
    expect({ open, open_profit, profit, equity }).toEqual({
      open: 0,
      open_profit: '0',
      profit: '-7.224',
      equity: [{ at: stage.now(), value: '-7.224' }],
    })
  })

  test.each(clockMoves)('the figures of an hour are taken once, and not before it begins, on a clock that %s', async (_how, moves) => {
    const hour = nextDay() + 5 * hourMs
    await at(hour - 3 * hourMs, '51000')
    let taken: number | undefined
    for (const { fromDueMs, isPast } of moves) {
      stage.later(hour + fromDueMs - stage.now())
      await Promise.all(stage.follows.map((follow) => follow.statistics()))
      if (isPast) taken ??= hour + fromDueMs
      const { refreshed, equity } = await detail()
      if (taken === undefined) expect(refreshed, `at ${fromDueMs} ms`).toBeLessThan(hour)
      else expect([refreshed, equity.at(-1)?.at], `at ${fromDueMs} ms`).toEqual([taken, taken])
      expect(new Set(equity.map((point) => point.at - (point.at % dayMs))).size).toBe(equity.length)
    }
  })

  test('figures that a clock took which was years ahead are taken anew once it is set right', async () => {
    const now = nextDay() + hourMs
    await at(now + 3_652 * dayMs, '51000')
    stage.later(now - stage.now())
    for (const follow of stage.follows) await follow.statistics()
    expect(await detail()).toMatchObject({ refreshed: now, equity: [{ at: now, value: '-7.224' }] })
  })
})
