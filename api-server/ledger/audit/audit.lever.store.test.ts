import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { everything, type Range } from '#api-server/ledger/audit/audit.check.ts'
import { ledgerChecks } from '#api-server/ledger/audit/audit.ledger.ts'
import { breachesOf } from '#api-server/ledger/audit/audit.ts'
import { createAuditor } from '#api-server/ledger/audit/auditor.ts'
import { leverChecks } from '#api-server/lever/lever.checks.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { type LeverStage, openLeverStage } from '#tests/support/databases/lever-stage.ts'

const dayMs = 86_400_000
const frozen = 'what is frozen is what something open holds'
const account = 'each position account holds the margin of its position'
const orphan = 'no position account holds money without its position'
const states = 'contract orders and positions are in states that their events have led to'
const paid = 'each closing and each night of a position was paid once, as its row says'
const changed = 'each change of margin was paid once, as its row says'
const prices = 'each contract was opened and closed at the price of the tick that it names, which had reached its level'
const tooMany = 'no event of a contract is one too many'

onEngines('the audit of contracts', (engine) => {
  let stage: LeverStage
  const ids: Record<'open' | 'waiting' | 'cancelled' | 'closed' | 'liquidated', number> = {
    open: 0,
    waiting: 0,
    cancelled: 0,
    closed: 0,
    liquidated: 0,
  }

  beforeAll(async () => {
    stage = await openLeverStage(engine)
    await stage.started()
    stage.tick('50000')
    const uid = await stage.customer('5000')
    const open = async (over: Record<string, string> = {}) =>
      (await stage.call('lever.orderOpen', uid, { match_id: 'BTCUSDT', side: 'long', lots: '10', multiple: '20', ...over })).id
    ids.open = await open()
    await stage.call('lever.margin', uid, { id: String(ids.open), action: 'add', amount: '700' })
    ids.closed = await open()
    await stage.call('lever.close', uid, { id: String(ids.closed), lots: '4' })
    stage.tick('50500', 'BTCUSDT', dayMs)
    await stage.call('lever.close', uid, { id: String(ids.closed) })
    ids.liquidated = await open({ multiple: '100' })
    ids.waiting = await open({ type: 'limit', price: '40000' })
    ids.cancelled = await open({ type: 'limit', price: '40000' })
    await stage.call('lever.cancel', uid, { id: String(ids.cancelled) })
    stage.tick('50000')
    await stage.settled()
    await stage.lever.runner.look()
  })
  afterAll(() => stage.stop())

  /** The promises that are broken after a change, and where. */
  async function foundAfter(...meddle: RawBuilder<unknown>[]): Promise<{ says: string[]; within: (range: Range) => Promise<string[]> }> {
    const undone = new Error('undone')
    const say = async (range?: Range) => {
      const broken: string[] = []
      await stage.database
        .transaction(async (tx) => {
          for (const table of ['ledger_event', 'ledger_posting', 'ledger_account', 'lever_position', 'tick'])
            await sql`alter table ${sql.table(table)} disable trigger user`.execute(tx)
          for (const statement of meddle) await statement.execute(tx)
          for (const check of [...ledgerChecks.filter(({ says }) => says === frozen), ...leverChecks])
            if (range === undefined || check.over === 'lever_position')
              if ((await breachesOf(tx, check, range ?? everything)).length) broken.push(check.says)
          throw undone
        })
        .catch((error: unknown) => {
          if (error !== undone) throw error
        })
      return broken
    }
    return { says: await say(), within: say }
  }

  test('a sound history is told as sound', async () => {
    await expectSoundMoney(stage.database)
    const { rows } = await sql<{ state: string }>`select state from lever_position order by id`.execute(stage.database.db)
    expect(rows.map(({ state }) => state)).toEqual(['open', 'closed', 'closed', 'entrust', 'cancelled'])
    expect((await foundAfter()).says).toEqual([])
  })

  const position = (id: number, set: RawBuilder<unknown>) => sql`update lever_position set ${set} where id = ${id}`
  test.each<[string, () => RawBuilder<unknown>[], string[]]>([
    ['a margin', () => [position(ids.open, sql`margin = margin + 1`)], [account]],
    ['what an order has frozen', () => [position(ids.waiting, sql`held = held + 1`)], [frozen]],
    ['the average exit of a position', () => [position(ids.closed, sql`closed_worth = closed_worth + 1`)], [paid]],
    ['nights of a position that no closing has', () => [position(ids.closed, sql`overnight_closed = overnight_closed + 1`)], [paid]],
    [
      'the part of the opening fee in a closing',
      () => [sql`update lever_close set open_fee = open_fee + 1 where position_id = ${ids.closed}`],
      [paid],
    ],
    ['the result of a position', () => [position(ids.closed, sql`result = result + 1`)], [paid]],
    [
      'an open position told as waiting',
      () => [position(ids.open, sql`state = 'entrust', held = 1, margin = 0, open_price = null`)],
      [frozen, account, states],
    ],
    ['a waiting order told as cancelled', () => [position(ids.waiting, sql`state = 'cancelled', held = 0, ended = 1`)], [frozen, states]],
    [
      'a cancelled order that waits again',
      () => [position(ids.cancelled, sql`state = 'entrust', held = 1, ended = null`)],
      [frozen, states],
    ],
    ['a closed position that is open again', () => [position(ids.closed, sql`state = 'open', ended = null`)], [paid]],
    [
      'what a closing gave back',
      () => [sql`update lever_close set back = back + 1, profit = profit + 1 where position_id = ${ids.closed}`],
      [paid],
    ],
    ['a closing whose parts do not sum', () => [sql`update lever_close set fee = fee + 1 where position_id = ${ids.liquidated}`], [paid]],
    [
      'a liquidation told as a stop loss',
      () => [sql`update lever_close set reason = 'stop_loss' where position_id = ${ids.liquidated}`],
      [paid, prices],
    ],
    ['a closing that is gone', () => [sql`delete from lever_close where position_id = ${ids.closed} and lots_left = 0`], [paid, tooMany]],
    ['the fee of a night', () => [sql`update lever_overnight set fee = fee + 1 where position_id = ${ids.open}`], [paid]],
    ['a night that is gone', () => [sql`delete from lever_overnight where position_id = ${ids.open}`], [paid, tooMany]],
    [
      'a night charged again',
      () => [
        sql`insert into lever_overnight select position_id, night + 86400000, uid, currency, price, tick_id, fee, at from lever_overnight where position_id = ${ids.open}`,
      ],
      [paid],
    ],
    ['the opening price', () => [position(ids.open, sql`open_price = open_price + 1`)], [prices]],
    ['the tick of an opening', () => [position(ids.closed, sql`open_tick = 2`)], [prices]],
    ['the price of a closing', () => [sql`update lever_close set price = price + 1 where position_id = ${ids.closed}`], [paid, prices]],
    [
      'the tick of a closing',
      () => [sql`update lever_close set tick_id = 1 where position_id = ${ids.closed} and lots_left = 0`],
      [prices],
    ],
    ['a liquidation at a tick that does not liquidate', () => [position(ids.liquidated, sql`maintenance_rate = 0`)], [prices]],
    ['a liquidation before its level counted', () => [position(ids.liquidated, sql`since = 999999`)], [prices]],
    ['the price of a night', () => [sql`update lever_overnight set price = price + 1 where position_id = ${ids.open}`], [prices]],
    ['the price of a tick', () => [sql`update tick set price = price + 1`], [prices]],
    ['the tick that liquidated', () => [sql`delete from tick where price = 50000 and id > 1`], [prices]],
    ['a change of margin', () => [sql`update lever_margin set amount = amount + 1`], [changed]],
    ['a change of margin that is gone', () => [sql`delete from lever_margin`], [tooMany]],
    [
      'a position that is gone',
      () => [
        sql`delete from lever_overnight where position_id = ${ids.open}`,
        sql`delete from lever_margin where position_id = ${ids.open}`,
        sql`delete from lever_position where id = ${ids.open}`,
      ],
      [orphan, tooMany],
    ],
    ['an event that is gone', () => [sql`delete from ledger_event where source = ${`lever:${ids.open}`}`], [states]],
    [
      'an event for nothing',
      () => [sql`update ledger_event set source = 'lever:999999' where source = ${`lever:${ids.open}`}`],
      [states, tooMany],
    ],
    [
      'a move of an order that was never moved so often',
      () => [
        sql`update ledger_event set kind = 'lever_move', source = ${`lever_move:${ids.waiting}:9`} where source = ${`lever:${ids.waiting}`}`,
      ],
      [states, tooMany],
    ],
    [
      'an event without a number',
      () => [sql`update ledger_event set source = 'lever:x' where source = ${`lever:${ids.open}`}`],
      [states, tooMany],
    ],
  ])('%s is found', async (_says, meddle, broken) => {
    const { says } = await foundAfter(...meddle())
    expect(says).toEqual(broken)
  })

  test('what is wrong is found in the range of its rows and in no other', async () => {
    const { within } = await foundAfter(
      position(ids.open, sql`margin = margin + 1, result = result + 1, state = 'closing', close_reason = 'user', close_tick = 1`),
      sql`update lever_overnight set fee = fee + 1 where position_id = ${ids.open}`,
    )
    expect(await within({ from: ids.open - 1, to: ids.open })).toEqual([account, paid])
    expect(await within({ from: ids.open, to: ids.open + 1_000 })).toEqual([])
  })

  test('a running server looks at contracts in slices', async () => {
    const auditor = createAuditor({ database: stage.database, clock: stage.clock, log: createLog('silent') })
    while (await auditor.step());
    expect(auditor.state()).toBe('sound')
    await sql`update lever_position set margin = margin + 1 where id = ${ids.open}`.execute(stage.database.db)
    while (await auditor.step());
    expect(auditor.state()).toBe('broken')
    await sql`update lever_position set margin = margin - 1 where id = ${ids.open}`.execute(stage.database.db)
    while (await auditor.step());
    expect(auditor.state()).toBe('sound')
    await expectSoundMoney(stage.database)
  })
})
