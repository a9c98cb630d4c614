import { type RawBuilder, sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { createBackOfficeAuditStore } from '#api-server/back-office/audit.store.ts'
import { offersLoggedMigration } from '#api-server/back-office/back-office.migration.ts'
import { auditLedger } from '#api-server/ledger/audit/audit.ts'
import { deskPrice, isAway } from '#api-server/otc/desk.ts'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { both, chief, type OtcStage, otcStageOn } from '#tests/support/databases/otc-stage.ts'
import { openWalletStage } from '#tests/support/databases/wallet-stage.ts'

test.each([
  ['buy', '50000', '50500'],
  ['sell', '50000', '49500'],
  // Rounded to the side of the house.
  ['buy', '33.333', '33.67'],
  ['sell', '33.333', '32.99'],
] as const)('an offer to %s at a market price of %s costs %s', (side, price, gives) => {
  expect(deskPrice(side, price)).toBe(gives)
})
test.each([
  ['100', '100.5', false],
  ['100', '100.51', true],
  ['100', '99.49', true],
])('an offer at %s where it would be %s now is away: %s', (offered, wanted, away) => {
  expect(isAway(offered, wanted)).toBe(away)
})

onEngines('the desk of a demonstration', (engine) => {
  let on: OtcStage
  beforeAll(async () => {
    on = otcStageOn(await openWalletStage(engine), 2)
  })
  const price = (btc: string) => on.stage.coins.setUsd('BTC', btc)
  const open = async () => {
    const { list } = await on.otc.offers.offers({ status: 'open', page: 1, size: 100 })
    return list.filter((row) => row.currency_code === 'BTC').map((row) => `${row.side} ${row.price} ${row.proposed_by}, ${row.decided_by}`)
  }
  const by = 'Desk (demo), Desk review (demo)'

  test('it offers both sides once, whichever node looks, and replaces what the market has left behind', async () => {
    price('50000')
    await on.desk(0)
    await on.desk(1)
    expect(await open()).toEqual([`sell 49500 ${by}`, `buy 50500 ${by}`])
    price('50200')
    await on.desk(1)
    expect(await open()).toEqual([`sell 49500 ${by}`, `buy 50500 ${by}`])
    price('50300')
    await on.desk(1)
    await on.desk(0)
    expect(await open()).toEqual([`sell 49797 ${by}`, `buy 50803 ${by}`])
  })
  test('each of its proposals, decisions and closings stands in the audit log of the back office', async () => {
    const { rows } = await sql<{
      row: string
    }>`select format('%s %s %s', subject, action, operator) as row from desk_audit order by id`.execute(on.stage.database.db)
    const made = (id: number) => [`offer:${id} offer.propose Desk (demo)`, `offer:${id} offer.agree Desk review (demo)`]
    const replaced = (id: number, old: number) => [made(id)[0], `offer:${old} offer.close Desk review (demo)`, made(id)[1]]
    expect(rows.map(({ row }) => row)).toEqual([...[1, 2, 3, 4].flatMap(made), ...replaced(5, 1), ...replaced(6, 2)])
    await expectSoundMoney(on.stage.database, { decisions: true })
  })
  test('rows that earlier builds did not write are added and say so; a removed row of an operator is not', async () => {
    const { database } = on.stage
    const log = createBackOfficeAuditStore(database)
    const remove = async (rows: RawBuilder<unknown>) => {
      await sql`alter table desk_audit disable trigger user`.execute(database.db)
      await sql`delete from desk_audit where ${rows}`.execute(database.db)
      await sql`alter table desk_audit enable trigger user`.execute(database.db)
    }
    const heal = () => on.inTx((tx) => offersLoggedMigration.up(tx))
    const breaches = async () =>
      (await auditLedger(database, { decisions: true })).checks.filter(({ name }) => name === 'D2').flatMap((check) => check.breaches)

    const before = await on.offer({ coin: 'ETH' })
    const after = (await on.propose({ coin: 'ETH', replaces: String(before) })).id
    await on.agree(after)
    // The closing is the row before the agreement, which is the last: without both, the chain goes on.
    await remove(sql`subject = ${`offer:${before}`} and action = 'offer.close' or subject = ${`offer:${after}`} and action = 'offer.agree'`)
    await on.inTx((tx) => log.append(tx, both, { action: 'offer.agree', subject: `offer:${after}`, detail: '' }, 1))
    await heal()
    expect((await log.page({ subject: `offer:${before}` }, 1, 1)).list).toMatchObject([
      { action: 'offer.close', operator_id: 2, operator: 'both' },
    ])
    await expectSoundMoney(database, { decisions: true })

    await on.close(after)
    await remove(sql`true`)
    await heal()
    const { list, total } = await log.page({}, 1, 100)
    expect(total).toBe(14)
    for (const { detail, operator } of list) {
      expect(detail).toMatch(/^house (sells|buys) (5 BTC|100 ETH) at [0-9.]+ USDT \(added later: /)
      expect(operator).toMatch(/^Desk (review )?\(demo\)$/)
    }
    const lacking = (id: number, by: string) => `offer:${id} by ${by}: decided 1 times, 0 in the log`
    const ofOperators = [
      ...[lacking(before, 'chief'), lacking(before, 'both'), lacking(before, 'both')],
      ...[lacking(after, 'chief'), lacking(after, 'chief'), lacking(after, 'both')],
    ]
    expect((await breaches()).sort()).toEqual(ofOperators.sort())
    await heal()
    expect((await log.page({}, 1, 100)).total).toBe(14)
  })
  test('what an operator has closed stays closed', async () => {
    const { list } = await on.otc.offers.offers({ status: 'open', page: 1, size: 100 })
    const offer = list.find((row) => row.currency_code === 'BTC' && row.side === 'buy')!
    await on.close(offer.id)
    price('60000')
    await on.desk(0)
    expect(await open()).toEqual([`sell 59400 ${by}`])
    expect(await on.otc.offers.offer(offer.id, chief)).toMatchObject({ status: 'closed', closed_by: 'chief' })
  })
  test('what is used up is offered anew; what an operator is to replace is left, and the other coin is looked at', async () => {
    const { list } = await on.otc.offers.offers({ status: 'open', page: 1, size: 100 })
    const used = list.find((row) => row.currency_code === 'BTC' && row.side === 'sell')!
    const seller = await on.customer({ BTC: '5' })
    for (let part = 0; part < 5; part++) await on.order(seller, used.id, '1')
    await on.desk(0)
    const anew = (await on.otc.offers.offers({ status: 'open', page: 1, size: 100 })).list.find((row) => row.currency_code === 'BTC')!
    expect(anew).toMatchObject({ side: 'sell', price: '59400', left: '5', replaces: used.id })
    const { id } = await on.propose({ side: 'sell', price: '1', replaces: String(anew.id) })
    price('61000')
    on.stage.coins.setUsd('ETH', '3000')
    await on.desk(0)
    expect(await open()).toEqual([`sell 59400 ${by}`])
    expect(
      (await on.otc.offers.offers({ status: 'open', page: 1, size: 100 })).list.filter((row) => row.currency_code === 'ETH'),
    ).toHaveLength(2)
    await on.inTx((tx) => on.otc.offers.drop(tx, id, chief))
  })
  test('a customer orders from it, and people decide', async () => {
    const uid = await on.customer()
    const [offer] = (await on.call('otc.offers', uid, { side: 'sell', size: '100' })).list.filter((row) => row.currency_code === 'BTC')
    expect(offer).toMatchObject({ simulated: true })
    const own = await on.offer()
    expect((await on.call('otc.offers', uid, { size: '100' })).list.find(({ id }) => id === own)).toMatchObject({ simulated: false })
    const placed = await on.order(uid, offer!.id, '0.5')
    expect(placed).toMatchObject({ status: 'reviewing', total: '29700' })
    expect(await on.approve(placed.id)).toMatchObject({ status: 'settled' })
    await expectSoundMoney(on.stage.database)
  })
  test('a server without the desk closes its offers, and none of others', async () => {
    expect((await open()).filter((row) => row.endsWith(by))).toHaveLength(1)
    await on.start()
    expect((await open()).filter((row) => row.endsWith(by))).toEqual([])
    expect(await open()).toHaveLength(1)
    await on.desk(0)
    expect((await open()).filter((row) => row.endsWith(by))).toEqual([`sell 60390 ${by}`])
  })
})
