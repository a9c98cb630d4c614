import { expect, test } from 'vitest'
import { aidsOf } from '#tests/support/browser/aids.ts'
import { findings } from '#tests/support/browser/axe.ts'
import { desktop, phone, useBrowser } from '#tests/support/browser/browser.ts'
import { node } from '#tests/support/browser/journey.ts'
import { atBackOffice, operator } from '#tests/support/people/operators.ts'
import { type Person, person, profile } from '#tests/support/people/people.ts'
import { makeOffer, makeTrader } from '#tests/support/people/trading.ts'
import { inputs } from '#tests/support/right-inputs.ts'
import { useApp } from '#tests/support/servers/app.ts'

const app = useApp('manual')
const { visit } = useBrowser()
const { api, aid } = aidsOf(app)
const btc = 'BTCUSDT'

/** A trader with an open and a closed position; a customer who copies it and has something in every list. @returns what pages need to know */
async function lay(ann: Person, tess: Person): Promise<{ trader: string; position: string }> {
  for (const { uid } of [ann, tess]) await aid('credit', { user: String(uid), account: 'lever', currency: 'USDT', amount: '10000' })
  await aid('credit', { user: String(ann.uid), account: 'micro', currency: 'USDT', amount: '1000' })
  await aid('credit', { user: String(ann.uid), currency: 'USDT', amount: '10000' })
  await app.tick(btc, '50000.00')
  await app.tick('AAPLUSDT', '190.00')
  await makeTrader(app.origin, { api }, tess, 'Calm Tess')
  await api(ann, 'follow.follow', { ...inputs['follow.follow'], trader_user_id: String(tess.uid), number: '0.5', stop_loss: '100' })
  const order = { match_id: btc, side: 'long', lots: '10', multiple: '20' }
  const open = async (who: Person, more: Record<string, string> = {}) =>
    String((await api<{ id: number }>(who, 'lever.orderOpen', { ...order, ...more })).id)
  const copies = async (status: string) => (await api<{ list: object[] }>(ann, 'follow.copies', { status })).list.length
  const closing = await open(tess)
  await expect.poll(() => copies('open')).toBe(1)
  await api(tess, 'lever.close', { id: closing })
  await expect.poll(() => copies('closed')).toBe(1)
  await open(tess)
  await expect.poll(() => copies('open')).toBe(1)
  const position = await open(ann, { target_profit_price: '60000', stop_loss_price: '49000' })
  const cancelled = await open(ann, { type: 'limit', price: '45000' })
  await api(ann, 'lever.cancel', { id: cancelled })
  await open(ann, { type: 'limit', price: '46000' })
  const { currency_id, legal_id } = await api<Record<string, number>>(ann, 'c2c.detail', { symbol: btc })
  const spot = { currency_id: String(currency_id), legal_id: String(legal_id), type: 'buy', tradeType: 'limit', target_price: '49000' }
  const { id } = await api<{ id: number }>(ann, 'c2c.trade', { ...spot, amount: '0.002' })
  await api(ann, 'c2c.cancel', { id: String(id) })
  await api(ann, 'c2c.trade', { ...spot, amount: '0.001' })
  await api(ann, 'mic.orderOpen', { match_id: btc, currency_id: String(legal_id), type: 'up', seconds: '300', number: '100' })
  const offer_id = await makeOffer(app.origin, {})
  const orderOtc = async (amount: string) => String((await api<{ id: number }>(ann, 'otc.order', { offer_id, amount })).id)
  const olga = await operator(app.origin, 'olga', ['reviewer'])
  await atBackOffice(app.origin, olga, 'office.otcApprove', { id: await orderOtc('0.01') })
  await atBackOffice(app.origin, olga, 'office.otcReject', { id: await orderOtc('0.02'), reason: 'The price was not confirmed' })
  await api(ann, 'otc.cancel', { id: await orderOtc('0.03') })
  await orderOtc('0.04')
  return { trader: String(tess.uid), position }
}

test('axe finds nothing serious on any page of trading, with something in every list', { tags: 'full' }, async () => {
  const [ann, tess] = [await person(app.origin, { nickname: 'Ann', level: '2' }), await person(app.origin, { nickname: 'Tess' })]
  const { trader, position } = await lay(ann, tess)
  /** Pages of Ann with a node that stands there, and the segments that show the rest of them. */
  const places: [path: string, screen: string, stands: string, segments?: [node: string, label: string | RegExp, stands: string][]][] = [
    ['transaction/index', 'transaction.index', 'depth-view'],
    ['transaction/index2', 'transaction.index2', 'stocks'],
    [
      ...(['transaction/contract', 'transaction.contract', 'position'] as const),
      [
        ['panel', /^Orders/, 'order'],
        ['ticket', 'Limit', 'ticket'],
      ],
    ],
    [
      ...(['transaction/contract_order', 'transaction.contract_order', 'order'] as const),
      [
        ['list', 'Open', 'open'],
        ['list', 'Waiting', 'waiting'],
        ['list', 'Cancelled', 'cancelled'],
        ['list', 'P&L', 'month'],
      ],
    ],
    [
      ...([`transaction/position?id=${position}`, 'transaction.position', 'close'] as const),
      [
        ['tab', 'TP/SL', 'exits'],
        ['tab', 'Margin', 'margin'],
        ['tab', 'Reverse', 'reverse'],
      ],
    ],
    ['transaction/currency', 'transaction.currency', 'order-row', [['form', 'Sell', 'funds']]],
    ['transaction/currency_order', 'transaction.currency_order', 'order-row', [['lists', 'History', 'order-row']]],
    [
      ...(['transaction/otc', 'transaction.otc', 'offer'] as const),
      [
        ['side', 'Sell', 'none'],
        ['side', 'Buy', 'offer'],
        ['offer', 'Buy BTC', 'sums'],
      ],
    ],
    ['transaction/otc_order', 'transaction.otc_order', 'order', [['order', 'Buy 0.04 BTC', 'order-cancel']]],
    ['transaction/seconds_order', 'transaction.seconds_order', 'order', [['list', 'History', 'history-none']]],
    ['follow/index', 'follow.index', 'trader'],
    [`follow/trader?id=${trader}`, 'follow.trader', 'trade'],
    [`follow/follow?id=${trader}`, 'follow.follow', 'begin'],
    ['follow/agreement_en', 'follow.agreement_en', 'content'],
    ['follow/agreement_zh', 'follow.agreement_zh', 'content'],
    ['copytrade/copy', 'copytrade.copy', 'position', [['status', 'Closed', 'ended']]],
    ['copytrade/my', 'copytrade.my', 'following'],
    ['copytrade/trader', 'copytrade.trader', 'apply'],
  ]
  const traderPlaces: typeof places = [['copytrade/trader', 'copytrade.trader', 'is-trader']]
  const found: string[] = []
  for (const [theme, viewport] of [
    ['dark', phone],
    ['light', desktop],
  ] as const) {
    for (const who of [ann, tess]) {
      const { page, go } = await visit({ origin: app.origin, viewport, storageState: profile(app.origin, who.token), keep: { theme } })
      const look = async (place: string, stands: string) => {
        await node(page, stands).first().waitFor()
        found.push(...(await findings(page)).map((one) => `${theme} ${place}: ${one}`))
      }
      for (const [path, screen, stands, segments = []] of who === ann ? places : traderPlaces) {
        await app.tick(btc, '50000.00')
        await go(`pages/${path}`, screen)
        await look(screen, stands)
        for (const [id, label, then] of segments) {
          await node(page, id).getByText(label, { exact: true }).first().click()
          await look(`${screen} ${label}`, then)
        }
      }
    }
  }
  expect(found).toEqual([])
})
