import type { Locator } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { aidsOf } from '#tests/support/browser/aids.ts'
import { desktop, stands, useBrowser } from '#tests/support/browser/browser.ts'
import { node, travel, windows } from '#tests/support/browser/journey.ts'
import { expectToast } from '#tests/support/browser/messages.ts'
import { person } from '#tests/support/people/people.ts'
import { useApp } from '#tests/support/servers/app.ts'

const app = useApp('manual')
const { visit } = useBrowser()
const { api, aid } = aidsOf(app)
afterEach(() => aid('clock', {}))

const terms = {
  lot_size: '0.01',
  lots_min: '0.01',
  multiples: [2, 20],
  spread: '0.0002',
  tolerance: '0.001',
  fee_rate: '0.0005',
  maintenance_rate: '0.005',
}

/** Whether it can be pressed where it is: inside the window, and covered by nothing. */
const atHand = (button: Locator) =>
  button.evaluate((one) => {
    const { left, top, bottom, width, height } = one.getBoundingClientRect()
    return top >= 0 && bottom <= innerHeight && one.contains(document.elementFromPoint(left + width / 2, top + height / 2))
  })

/*
 * A lot is 0.01 BTC; the market buys half of the spread, 0.01 %, above the last price and sells as much below it. At 50,000:
 *   opening 10 lots ×20   at 50,005 → worth 5,000.5, margin 250.025, fee 2.50025, liquidated at (5,000.5 − 250.025) / (0.1 × 0.995)
 *   take profit at 52,000 at 51,994.80 → profit 198.98, fee 2.59974, so 198.98 − 2.50025 − 2.59974 = 193.88001 in all
 *   4 of 10 lots closed   at 49,995 → loss 0.4, fee 0.9999
 *   the other 6           at 49,995 → loss 0.6, fee 1.49985
 */
test.for(windows)('a customer trades contracts, and the take profit is reached while the page is cut off, %s', async ([, viewport]) => {
  const ann = await person(app.origin, { nickname: 'Ann' })
  await aid('credit', { user: String(ann.uid), account: 'lever', currency: 'USDT', amount: '1000' })
  await aid('instrument', { symbol: 'BTCUSDT', product: 'contract', terms: JSON.stringify(terms) })
  await app.tick('BTCUSDT', '50000.00')
  await using journey = await travel(visit, {
    target: app.origin,
    who: ann,
    viewport,
    path: 'pages/transaction/contract?symbol=BTCUSDT',
    screen: 'transaction.contract',
  })
  const { page, go, confirm } = journey
  const ticket = node(page, 'ticket')
  const card = node(page, 'position')
  const has = (text: string) => expect.poll(async () => (await api<{ available: string }>(ann, 'lever.dealall')).available).toBe(text)
  /** Shows the rest of a row. */
  const unfold = (at: string) => node(page, at).first().locator('[data-part="more"][aria-expanded="false"]').click()
  const fact = (at: string, id: string, text: string) =>
    node(page, at).first().locator(`[data-fact="${id}"] dd`).filter({ hasText: text }).waitFor()

  // Opens at the market. The prompt says what is sent.
  await page.locator('[name=multiple]').selectOption('20')
  await page.locator('[name=lots]').fill('10')
  await page.locator('[name=exits]').selectOption('price')
  await page.locator('[name=target_profit_price]').fill('52000')
  await page.locator('[name=stop_loss_price]').fill('48500')
  await expect.poll(() => atHand(page.getByRole('button', { name: 'Open long' }))).toBe(true)
  // While the prompt is open, the price moves by less than the tolerance, and then by more: the prompt closes and asks at the new price.
  await app.tick('BTCUSDT', '50000.00')
  await page.getByRole('button', { name: 'Open long' }).click()
  const asked = page.getByRole('alertdialog')
  await asked.getByText('50,005.00').waitFor()
  await app.tick('BTCUSDT', '50040.00')
  await app.tick('BTCUSDT', '50100.00')
  await expectToast(page, 'What you were asked about has changed. Check it again.')
  await asked.getByText('50,105.01').waitFor()
  await page.locator('.prompt-cancel').click()
  expect((await api<{ list: object[] }>(ann, 'lever.orderList', { status: 'position' })).list).toEqual([])
  await app.tick('BTCUSDT', '50000.00')
  await node(page, 'sums').filter({ hasText: '47,743.47' }).waitFor()
  const opened = await confirm(page.getByRole('button', { name: 'Open long' }), '/lever/orderOpen')
  const words = ['×20', '50,005.00', '50,055.00', '250.025 USDT', '2.50025 USDT', '47,743.47', '52,000.00', '48,500.00']
  for (const word of words) expect(opened.said).toContain(word)
  expect(opened.sent).toMatchObject({
    match_id: 'BTCUSDT',
    side: 'long',
    type: 'market',
    lots: '10',
    multiple: '20',
    outside_hours: 'refuse',
    price: '50005',
    worst_price: '50055',
    target_profit_price: '52000',
    stop_loss_price: '48500',
  })
  await unfold('position')
  await fact('position', 'open_price', '50,005.00')
  await fact('position', 'liquidation', '47,743.47')
  await has('747.47475')
  await card.filter({ hasText: '−6.00 USDT' }).waitFor()
  await app.tick('BTCUSDT', '51000.00')
  await card.filter({ hasText: '+93.94 USDT' }).waitFor()

  // The price goes on without the page, and falls again behind the take profit.
  const stayedRight = await journey.away({
    gone: 'position',
    async meanwhile() {
      await app.tick('BTCUSDT', '52000.00')
      await has('1193.88001')
      await app.tick('BTCUSDT', '50000.00')
    },
    async isRight() {
      await node(page, 'none').waitFor()
      await node(page, 'totals').filter({ hasText: '1,193.88' }).waitFor()
      await page.locator('[data-node="notice"]:not([data-notice="down"])').waitFor({ state: 'attached' })
    },
  })
  await app.tick('BTCUSDT', '52000.00')
  await app.tick('BTCUSDT', '50000.00')
  expect(await card.count()).toBe(0)
  await go('pages/transaction/contract_order', 'transaction.contract_order')
  await node(page, 'order').filter({ hasText: '+193.88 USDT' }).filter({ hasText: 'Take profit reached' }).waitFor()
  for (const [id, text] of [
    ['lots', '10'],
    ['open_price', '50,005.00'],
    ['exit_price', '51,994.80'],
    ['fee', '5.09999'],
  ] as const)
    await fact('order', id, text)

  // An order that another device places and cancels comes and goes here.
  await node(page, 'list').getByText('Waiting', { exact: true }).click()
  await node(page, 'none').waitFor()
  const elsewhere = { match_id: 'BTCUSDT', side: 'short', type: 'limit', lots: '1', multiple: '20', price: '53000' }
  const { id } = await api<{ id: number }>(ann, 'lever.orderOpen', elsewhere)
  await node(page, 'order').filter({ hasText: '53,000.00' }).waitFor()
  await api(ann, 'lever.cancel', { id: String(id) })
  await node(page, 'none').waitFor()
  await stayedRight()

  // An order waits for its price, which does not come, and is cancelled.
  await go('pages/transaction/contract?symbol=BTCUSDT', 'transaction.contract')
  await ticket.getByText('Limit', { exact: true }).click()
  await page.locator('[name=price]').fill('49000')
  await page.locator('[name=multiple]').selectOption('20')
  await page.locator('[name=lots]').fill('5')
  const placed = await confirm(page.getByRole('button', { name: 'Open long' }), '/lever/orderOpen')
  for (const word of ['Limit price', '49,000.00', '122.5 USDT', '1.225 USDT']) expect(placed.said).toContain(word)
  expect(placed.sent).toMatchObject({ type: 'limit', price: '49000', worst_price: '', lots: '5', multiple: '20' })
  await has('1070.15501')
  await page.getByText('Orders (1)', { exact: true }).click()
  const waiting = async () => (await api<{ list: object[] }>(ann, 'lever.orderList', { status: 'entrust' })).list
  const asPlaced = { status: 'entrust', rev: 1, price: '49000', held: '123.725' }
  expect(await waiting()).toMatchObject([asPlaced])
  await app.tick('BTCUSDT', '49000.01')
  await app.tick('BTCUSDT', '50000.00')
  expect(await waiting()).toMatchObject([asPlaced])
  await unfold('order')
  const cancelled = await confirm(node(page, 'order').locator('[data-part="cancel"]'), '/lever/cancel')
  expect(cancelled.said).toContain('123.725 USDT')
  await node(page, 'no-orders').waitFor()
  await page.getByText('Orders (0)', { exact: true }).waitFor()
  await has('1193.88001')

  // A part of a position is closed, then all that is open.
  await ticket.getByText('Market', { exact: true }).click()
  await page.locator('[name=lots]').fill('10')
  await app.tick('BTCUSDT', '50000.00')
  await confirm(page.getByRole('button', { name: 'Open long' }), '/lever/orderOpen')
  await page.getByText('Positions (1)', { exact: true }).click()
  await unfold('position')
  await card.locator('[data-part="close"]').click()
  // A page of its own on a phone, and beside the chart in a wide window.
  const managed = page.locator('[data-screen="transaction.position"]')
  await managed.locator('[name=lots]').fill('4')
  expect(await page.locator('[data-screen="transaction.contract"]').count()).toBe(viewport === desktop ? 1 : 0)
  await app.tick('BTCUSDT', '50000.00')
  const part = await confirm(managed.getByRole('button', { name: 'Close at market' }), '/lever/close')
  for (const word of ['49,995.00', '49,945.01', '−0.40 USDT', '2.00 USDT', '−2.40 USDT']) expect(part.said).toContain(word)
  expect(part.sent).toMatchObject({ lots: '4', price: '49995', worst_price: '49945.01' })
  await expectToast(page, 'Closed. Result after fees: −2.40 USDT')
  await stands(page, 'transaction.contract')
  if (viewport !== desktop) await unfold('position')
  await fact('position', 'lots', '6')
  await fact('position', 'margin', '150.015')
  await app.tick('BTCUSDT', '50000.00')
  await node(page, 'close-all').getByText('Close all', { exact: true }).click()
  const prompt = page.getByRole('alertdialog')
  await prompt.getByText('Close all positions?').waitFor()
  expect(await prompt.innerText()).toMatch(/Positions\s+1\b/)
  await page.locator('.prompt-ok').click()
  await expectToast(page, '1 position closed. Result after fees: −3.60 USDT')
  await node(page, 'none').waitFor()
  await has('1187.88001')

  // A price that is too old fills nothing.
  await page.locator('[name=multiple]').selectOption('20')
  await page.locator('[name=lots]').fill('1')
  await app.tick('BTCUSDT', '50000.00')
  await page.getByRole('button', { name: 'Open long' }).click()
  await page.locator('.prompt-ok').click({ trial: true })
  await aid('clock', { now: String(Date.now() + 11_000) })
  const answered = page.waitForResponse((one) => new URL(one.url()).pathname === '/api/lever/orderOpen')
  await page.locator('.prompt-ok').click()
  expect(((await (await answered).json()) as { name: string }).name).toBe('price_stale')
  await expectToast(page, 'The price is out of date. Try again in a moment.')
  await has('1187.88001')

  // A limit order needs no price of now: it is asked about and frozen at its limit, however the last known price compares, and waits.
  await page.locator('[data-node="notice"][data-notice="blocked"]').waitFor({ state: 'attached' })
  await ticket.getByText('Limit', { exact: true }).click()
  await page.locator('[name=price]').fill('51000')
  const late = await confirm(page.getByRole('button', { name: 'Open long' }), '/lever/orderOpen')
  for (const word of ['Limit price', '51,000.00', '25.5 USDT', '0.255 USDT']) expect(late.said).toContain(word)
  expect(late.said).not.toContain('50,000')
  expect(late.sent).toMatchObject({ type: 'limit', price: '51000', worst_price: '', lots: '1', multiple: '20' })
  expect(await waiting()).toMatchObject([{ status: 'entrust', price: '51000', held: '25.755' }])
  await has('1162.12501')
})
