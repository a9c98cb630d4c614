import { afterEach, expect, test } from 'vitest'
import { aidsOf } from '#tests/support/browser/aids.ts'
import { useBrowser } from '#tests/support/browser/browser.ts'
import { node, travel, windows } from '#tests/support/browser/journey.ts'
import { person } from '#tests/support/people/people.ts'
import { useOwnApp } from '#tests/support/servers/app.ts'

const app = useOwnApp({ FEED: 'manual' })
const { visit } = useBrowser()
const { api, aid } = aidsOf(app)
afterEach(() => aid('clock', {}))

const terms = {
  ...{ lot_size: '0.01', lots_min: '0.01', multiples: [2, 20], spread: '0.0002', tolerance: '0.001' },
  ...{ fee_rate: '0.0005', maintenance_rate: '0.005' },
}

/*
 * A lot is 0.01 BTC; the market buys half of the spread, 0.01 %, above the last price and sells as much below it. At 50,000:
 *   opening 10 lots ×20   at 50,005 → worth 5,000.5, margin 250.025, fee 2.50025, liquidated at (5,000.5 − 250.025) / (0.1 × 0.995)
 *   take profit at 52,000 at 51,994.80 → profit 198.98, fee 2.59974, so 198.98 − 2.50025 − 2.59974 = 193.88001 in all
 *   4 of 10 lots closed   at 49,995 → loss 0.4, fee 0.9999
 *   the other 6           at 49,995 → loss 0.6, fee 1.49985
 */
test.for(windows)('a customer trades contracts, and the take profit is reached while the page is cut off, $size', async ({ viewport }) => {
  const ann = await person(app.origin, { nickname: 'Ann' })
  await aid('credit', { user: String(ann.uid), account: 'lever', currency: 'USDT', amount: '1000' })
  await aid('instrument', { symbol: 'BTCUSDT', product: 'contract', terms: JSON.stringify(terms) })
  await app.tick('BTCUSDT', '50000.00')
  await using journey = await travel(visit, {
    ...{ target: app.origin, who: ann, viewport },
    ...{ path: 'pages/transaction/contract?symbol=BTCUSDT', screen: 'transaction.contract' },
  })
  const { page, go, appeared, confirm } = journey
  const ticket = node(page, 'ticket')
  const card = node(page, 'position')
  const has = (text: string) => expect.poll(async () => (await api<{ available: string }>(ann, 'lever.dealall')).available).toBe(text)
  const fact = (at: string, id: string, text: string) =>
    node(page, at).first().locator(`[data-fact="${id}"] dd`).filter({ hasText: text }).waitFor()

  // Opens at the market. The prompt says what is sent.
  await ticket.getByText('×20', { exact: true }).click()
  await page.locator('[name=lots]').fill('10')
  await ticket.getByText('By price', { exact: true }).click()
  await page.locator('[name=target_profit_price]').fill('52000')
  await page.locator('[name=stop_loss_price]').fill('48500')
  const opened = await confirm(page.getByRole('button', { name: 'Open long' }), '/lever/orderOpen')
  const words = ['×20', '50,005.00', '50,055.00', '250.025 USDT', '2.50025 USDT', '47,743.47', '52,000.00', '48,500.00']
  for (const word of words) expect(opened.said).toContain(word)
  expect(opened.sent).toMatchObject({
    ...{ match_id: 'BTCUSDT', side: 'long', type: 'market', lots: '10', multiple: '20', outside_hours: 'refuse' },
    ...{ price: '50005', worst_price: '50055', target_profit_price: '52000', stop_loss_price: '48500' },
  })
  await fact('position', 'open_price', '50,005.00')
  await fact('position', 'liquidation', '47,743.47')
  await has('747.47475')
  await card.filter({ hasText: '−0.50 USDT' }).waitFor()
  await app.tick('BTCUSDT', '51000.00')
  await card.filter({ hasText: '+99.50 USDT' }).waitFor()

  // The price goes on without the page, and falls again behind the take profit.
  await appeared.begin()
  await journey.leave()
  await app.tick('BTCUSDT', '52000.00')
  await has('1193.88001')
  await app.tick('BTCUSDT', '50000.00')
  const lateMs = await journey.comeBack(async () => {
    await node(page, 'none').waitFor()
    await node(page, 'totals').filter({ hasText: '1,193.88' }).waitFor()
    await page.locator('[data-node="simulated"][data-notice="none"]').waitFor({ state: 'attached' })
  })
  console.log('late', lateMs)
  expect(await card.count()).toBe(0)
  await go('pages/transaction/contract_order', 'transaction.contract_order')
})
