import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dueLimits } from '#server-kit/due/due.rules.ts'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { clockMoves } from '#tests/support/clock-moves.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { type MicStage, openMicStage } from '#tests/support/databases/mic-stage.ts'
import { noticesOf } from '#tests/support/databases/notices.ts'

onEngines('the settlement of options', (engine) => {
  let stage: MicStage
  beforeAll(async () => {
    stage = await openMicStage(engine, 2)
  })
  afterAll(async () => {
    await expectSoundMoney(stage.database)
    await stage.close()
  })

  test('what a node left in the middle is settled by another, and two at once settle once', async () => {
    const uid = await stage.begin('2000')
    for (let i = 0; i < 12; i++) await stage.open(uid)
    stage.stage.later(59_000)
    stage.tick('50010')
    stage.stage.later(1_001)
    // A node that takes orders and ends before it settles them.
    await sql`update option_order set status = 'settling', version = 2 where uid = ${uid} and id % 2 = 0`.execute(stage.database.db)
    const settled = await Promise.all(stage.mics.flatMap((mic) => [mic.settle(), mic.settle()]))
    expect(settled.reduce((all, one) => all + one, 0)).toBeGreaterThanOrEqual(12)
    expect(await stage.has(uid)).toBe('2360/0')
    expect((await stage.call('mic.orderList', uid, { status: 'history', size: '100' })).list.every((one) => one.status === 'won')).toBe(
      true,
    )
    for (const mic of stage.mics) expect(await mic.settle()).toBe(0)
    expect(await noticesOf(stage.database, uid)).toEqual(Array(12).fill('option_won 100 130'))
  })

  test('an option that cannot be settled keeps no other waiting, and is settled once it can be', async () => {
    const uid = await stage.begin()
    const [, stuck] = await Promise.all([1, 2, 3].map(() => stage.open(uid)))
    stage.stage.later(59_000)
    stage.tick('50010')
    stage.stage.later(1_001)
    const failures = () => Number(stage.mic.counts().failures)
    const before = failures()
    const constrain = (how: string) => sql.raw(`alter table option_order ${how}`).execute(stage.database.db)
    await constrain(`add constraint stuck check (id <> ${stuck!.id} or status <> 'won')`)
    expect(await stage.settle()).toBe(2)
    expect([failures() - before, await stage.has(uid)]).toEqual([1, '960/100'])
    await constrain('drop constraint stuck')
    stage.stage.later(dueLimits.firstRetryMs * 2)
    expect(await stage.settle()).toBe(1)
    expect(await stage.has(uid)).toBe('1090/0')
    expect(await noticesOf(stage.database, uid)).toEqual(Array(3).fill('option_won 100 130'))
  })

  test('a clock that goes back pays nothing early, and one that leaps settles everything once, each at its own expiry', async () => {
    const uid = await stage.begin()
    const times = ['30', '60', '120', '300']
    const opened = await Promise.all(times.map((seconds, i) => stage.open(uid, { seconds, rate: `0.${i + 2}` })))
    const [start] = opened.map(({ opened }) => opened)
    times.forEach((seconds, i) => void stage.tick(`${50_001 + i}`, start! + Number(seconds) * 1_000))
    stage.stage.later(-3_600_000)
    expect(await stage.settle()).toBe(0)
    stage.stage.later(3_600_000 + 400_000)
    expect(await stage.settle()).toBe(4)
    const { list } = await stage.call('mic.orderList', uid, { status: 'history' })
    expect(list.map(({ settle_price }) => settle_price).sort()).toEqual(['50001.00', '50002.00', '50003.00', '50004.00'])
    expect(await stage.has(uid)).toBe('1140/0')
  })

  test.each(clockMoves)('an option is paid once, and not before its expiry, on a clock that %s', async (_how, moves) => {
    const uid = await stage.begin()
    const { expires } = await stage.open(uid)
    stage.tick('50010', expires - 1)
    for (const { fromDueMs, isPast } of moves) {
      stage.stage.later(expires + fromDueMs - stage.stage.now())
      await Promise.all(stage.mics.map((mic) => mic.settle()))
      expect(await stage.has(uid), `at ${fromDueMs} ms`).toBe(isPast ? '1030/0' : '900/100')
    }
  })
})
