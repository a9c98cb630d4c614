import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { deskPrice, isAway } from '#api-server/otc/desk.ts'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { chief, type OtcStage, otcStageOn } from '#tests/support/databases/otc-stage.ts'
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
