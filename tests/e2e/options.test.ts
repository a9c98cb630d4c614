import type { Page } from 'playwright'
import { afterEach, expect, test } from 'vitest'
import { aidsOf } from '#tests/support/browser/aids.ts'
import { useBrowser } from '#tests/support/browser/browser.ts'
import { type Person, person, profile } from '#tests/support/people/people.ts'
import { useOwnApp } from '#tests/support/servers/app.ts'
import { layCable } from '#tests/support/servers/proxy.ts'

const app = useOwnApp({ FEED: 'manual' })
const { visit } = useBrowser()
const { api, aid } = aidsOf(app)
afterEach(() => aid('clock', {}))

interface Order {
  id: number
  status: string
  expires: number
  open_price: string
}
const node = (page: Page, id: string) => page.locator(`[data-node="${id}"]`)
const orders = async (who: Person, status: 'position' | 'history') => (await api<{ list: Order[] }>(who, 'mic.orderList', { status })).list
const has = async (who: Person) => {
  const [coin] = (await api<{ list: { available: string; frozen: string }[] }>(who, 'mic.payableCurrencies')).list
  return `${coin!.available}/${coin!.frozen}`
}

/** Buys by the page, and reads what the prompt said. */
async function buy(page: Page, direction: 'Up' | 'Down', stake: string): Promise<string> {
  await node(page, 'ticket').getByText(direction, { exact: true }).click()
  await node(page, 'ticket').getByText('1 min', { exact: true }).click()
  await page.locator('[name=number]').fill(stake)
  await page.getByRole('button', { name: `Buy ${direction}` }).click()
  const prompt = page.getByRole('alertdialog')
  await prompt.waitFor()
  const said = await prompt.innerText()
  await page.locator('.prompt-ok').click()
  await page.locator('[data-node="order"]').first().waitFor()
  return said
}

/** A price one second before the end of an order, and then the end. */
async function end({ expires }: Order, price: string): Promise<void> {
  await aid('tick', { symbol: 'BTCUSDT', price, time: String(expires - 1_000) })
  await aid('clock', { now: String(expires + 1) })
}

test('a customer buys options, sees them run out, win, lose and end level, and checks the proof', async () => {
  const ann = await person(app.origin, { nickname: 'Ann' })
  await aid('credit', { user: String(ann.uid), account: 'micro', currency: 'USDT', amount: '1000' })
  await app.tick('BTCUSDT', '50000.00')
  const cable = await layCable(app.origin)
  try {
    const { page, allow } = await visit({
      ...{ origin: cable.origin, path: 'pages/transaction/seconds_order?symbol=BTCUSDT', screen: 'transaction.seconds_order' },
      storageState: profile(cable.origin, ann.token),
    })
    for (const pattern of [/ERR_/, /WebSocket/i, /Failed to load/i, /Failed to fetch/i]) allow(pattern)
    const settled = (words: string) => node(page, 'settled').filter({ hasText: words }).first().waitFor()

    await app.tick('BTCUSDT', '50000.00')
    const said = await buy(page, 'Up', '100')
    for (const words of ['BTC/USDT', 'Up', '60 s', '100 USDT', '50,000.00', '30.00%', '130 USDT', '76.93%']) expect(said).toContain(words)
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
    await node(page, 'list').getByText('History', { exact: true }).click()
    await settled('Won')

    // Lost, while the page is cut off from the server.
    await app.tick('BTCUSDT', '50000.00')
    await node(page, 'list').getByText('Running', { exact: true }).click()
    await node(page, 'notice').and(page.locator('[data-notice="none"]')).waitFor({ state: 'attached' })
    await buy(page, 'Down', '200')
    const [second] = await orders(ann, 'position')
    cable.cut()
    await page.locator('[data-node="notice"][data-notice="down"]').waitFor({ timeout: 20_000 })
    await expect.poll(() => page.getByRole('button', { name: 'Buy Down' }).isDisabled()).toBe(true)
    await end(second!, '50000.01')
    await expect.poll(() => has(ann)).toBe('830/0')
    cable.mend()
    await node(page, 'no-orders').waitFor({ timeout: 30_000 })
    await node(page, 'list').getByText('History', { exact: true }).click()
    await settled('Lost')

    // Level: what was staked comes back.
    await app.tick('BTCUSDT', '50000.00')
    await page.locator('[data-node="notice"][data-notice="none"]').waitFor({ state: 'attached', timeout: 20_000 })
    await buy(page, 'Up', '50')
    const [third] = await orders(ann, 'position')
    await end(third!, '50000.00')
    await expect.poll(() => has(ann)).toBe('830/0')
    await node(page, 'no-orders').waitFor()
    await node(page, 'list').getByText('History', { exact: true }).click()
    await settled('Draw')

    await node(page, 'settled').filter({ hasText: 'Won' }).first().click()
    const sheet = node(page, 'detail-sheet')
    await sheet.getByText('Proof of settlement').waitFor()
    const detail = await api<{ settle_tick: { hash: string; tick_id: number } }>(ann, 'mic.getOrderDetail', { id: String(first!.id) })
    await sheet.getByText(detail.settle_tick.hash).waitFor()

    // Without a newer price for ten seconds nothing is bought, and the page says why.
    await page.keyboard.press('Escape')
    await page.locator('[data-node="notice"][data-notice="blocked"]').waitFor({ timeout: 30_000 })
    expect(await node(page, 'notice').innerText()).toContain('Trading paused')
    expect(await page.getByRole('button', { name: 'Buy Up' }).isDisabled()).toBe(true)
    await app.tick('BTCUSDT', '50000.00')
    await expect.poll(() => page.getByRole('button', { name: 'Buy Up' }).isDisabled(), { timeout: 20_000 }).toBe(false)
  } finally {
    await cable.close()
  }
})
