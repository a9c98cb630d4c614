import { expect, test } from 'vitest'
import { aidsOf } from '#tests/support/browser/aids.ts'
import { useBrowser } from '#tests/support/browser/browser.ts'
import { type Journey, node, travel, windows } from '#tests/support/browser/journey.ts'
import { type Person, person } from '#tests/support/people/people.ts'
import { useApp } from '#tests/support/servers/app.ts'

// Its clock is never set back: prices of an earlier test would lie ahead, and settle the orders of the next.
const app = useApp('manual')
const { visit } = useBrowser()
const { api, aid } = aidsOf(app)

interface Order {
  id: number
  status: string
  expires: number
  open_price: string
}
const orders = async (who: Person, status: 'position' | 'history') => (await api<{ list: Order[] }>(who, 'mic.orderList', { status })).list
const has = async (who: Person) => {
  const [coin] = (await api<{ list: { available: string; frozen: string }[] }>(who, 'mic.payableCurrencies')).list
  return `${coin!.available}/${coin!.frozen}`
}

/** Buys at 50,000 for a minute. @returns what the prompt said and what was sent */
async function buy({ page, confirm }: Journey, direction: 'Up' | 'Down', stake: string) {
  await node(page, 'ticket').getByText('1 min', { exact: true }).click()
  await page.locator('[name=number]').fill(stake)
  await app.tick('BTCUSDT', '50000.00')
  const asked = await confirm(page.getByRole('button', { name: `Buy ${direction}` }), '/mic/orderOpen')
  await node(page, 'order').first().waitFor()
  return asked
}

/** A price one second before the end of an order, and then the end. */
async function end({ expires }: Order, price: string): Promise<void> {
  await aid('clock', { now: String(expires - 1_000) })
  await app.tick('BTCUSDT', price)
  await aid('clock', { now: String(expires + 1) })
}

test.for(windows)('a customer buys options that win, lose while the page is cut off, and end level, %s', async ([, viewport]) => {
  const ann = await person(app.origin, { nickname: 'Ann' })
  await aid('credit', { user: String(ann.uid), account: 'micro', currency: 'USDT', amount: '1000' })
  await app.tick('BTCUSDT', '50000.00')
  await using journey = await travel(visit, {
    target: app.origin,
    who: ann,
    viewport,
    path: 'pages/transaction/seconds_order?symbol=BTCUSDT',
    screen: 'transaction.seconds_order',
  })
  const { page } = journey
  const show = (list: 'Running' | 'History') => node(page, 'list').getByText(list, { exact: true }).click()
  const settled = (words: string) => node(page, 'settled').filter({ hasText: words }).first().waitFor()
  const notice = (kind: string) => page.locator(`[data-node="notice"][data-notice="${kind}"]`).waitFor({ state: 'attached' })
  const canBuy = (direction: 'Up' | 'Down') => page.getByRole('button', { name: `Buy ${direction}` }).isEnabled()

  // The price moves past the tolerance while the prompt is open: it closes and asks at the new price.
  await node(page, 'ticket').getByText('1 min', { exact: true }).click()
  await page.locator('[name=number]').fill('100')
  await page.getByRole('button', { name: 'Buy Up' }).click()
  const asked = page.getByRole('alertdialog')
  await asked.getByText('50,000.00').waitFor()
  await app.tick('BTCUSDT', '50100.00')
  await asked.getByText('50,100.00').waitFor()
  await page.locator('.prompt-cancel').click()
  expect(await has(ann)).toBe('1000/0')
  await app.tick('BTCUSDT', '50000.00')
  await node(page, 'quote').filter({ hasText: '50,000.00' }).waitFor()

  const { said, sent } = await buy(journey, 'Up', '100')
  for (const words of ['BTC/USDT', 'Up', '60 s', '100 USDT', '50,000.00', '30.00%', '130 USDT', '76.93%']) expect(said).toContain(words)
  expect(sent).toMatchObject({ match_id: 'BTCUSDT', type: 'up', seconds: '60', number: '100', rate: '0.3' })
  const running = node(page, 'order').first()
  await running.filter({ hasText: 'Running' }).waitFor()
  expect(await running.innerText()).toContain('50,000.00')
  expect(await has(ann)).toBe('900/100')
  await app.tick('BTCUSDT', '50000.01')
  await running.filter({ hasText: '+30.00 USDT' }).waitFor()
  await app.tick('BTCUSDT', '49999.99')
  await running.filter({ hasText: '−100.00 USDT' }).waitFor()

  // Won; the open page hears of it.
  const [first] = await orders(ann, 'position')
  await end(first!, '50000.01')
  await expect.poll(() => has(ann)).toBe('1030/0')
  await node(page, 'no-orders').waitFor()
  await show('History')
  await settled('Won')

  // Lost, while the page is cut off from the server.
  await show('Running')
  await buy(journey, 'Down', '200')
  const [second] = await orders(ann, 'position')
  const stayedRight = await journey.away({
    gone: 'order',
    async meanwhile() {
      await expect.poll(() => canBuy('Down')).toBe(false)
      await end(second!, '50000.01')
      await expect.poll(() => has(ann)).toBe('830/0')
      await app.tick('BTCUSDT', '50000.00')
    },
    async isRight() {
      await node(page, 'no-orders').waitFor()
      await node(page, 'ticket').getByText('Available: 830 USDT').waitFor()
      await page.locator('[data-node="notice"]:not([data-notice="down"])').waitFor({ state: 'attached' })
      await app.tick('BTCUSDT', '50000.00')
      await page.locator('button:enabled', { hasText: 'Buy Down' }).waitFor()
    },
  })
  await app.tick('BTCUSDT', '49999.99')
  expect(await node(page, 'order').count()).toBe(0)
  await show('History')
  await settled('Lost')
  await stayedRight()

  // Level: what was staked comes back.
  await buy(journey, 'Up', '50')
  const [third] = await orders(ann, 'position')
  await end(third!, '50000.00')
  await expect.poll(() => has(ann)).toBe('830/0')
  await node(page, 'no-orders').waitFor()
  await show('History')
  await settled('Draw')

  await node(page, 'settled').filter({ hasText: 'Won' }).first().click()
  const sheet = node(page, 'detail-sheet')
  await sheet.getByText('Proof of settlement').waitFor()
  const detail = await api<{ settle_tick: { hash: string; tick_id: number } }>(ann, 'mic.getOrderDetail', { id: String(first!.id) })
  await sheet.getByText(detail.settle_tick.hash).first().waitFor()
  const check = sheet.locator('[data-node="settle-check"]')
  await check.getByRole('button', { name: 'Check it here' }).click()
  await check.getByText('Everything that can be checked here is right.').waitFor()
  await check.getByText('It is the last price of BTCUSDT up to the end of the order').waitFor()

  // Without a newer price for ten seconds nothing is bought, and the page says why.
  await page.keyboard.press('Escape')
  await notice('blocked')
  expect(await node(page, 'notice').innerText()).toContain('Trading paused')
  expect(await canBuy('Up')).toBe(false)
  await app.tick('BTCUSDT', '50000.00')
  await expect.poll(() => canBuy('Up')).toBe(true)
})
