import { afterEach, expect, test } from 'vitest'
import { aidsOf } from '#tests/support/browser/aids.ts'
import { useBrowser } from '#tests/support/browser/browser.ts'
import { bare, chartLines, plain } from '#tests/support/browser/chart-lines.ts'
import { node, travel, windows } from '#tests/support/browser/journey.ts'
import { type Person, person } from '#tests/support/people/people.ts'
import { useApp } from '#tests/support/servers/app.ts'

const app = useApp('manual')
const { visit } = useBrowser()
const { api, aid } = aidsOf(app)
afterEach(() => aid('clock', {}))

interface Funds {
  base_available: string
  base_frozen: string
  quote_available: string
  quote_frozen: string
}
/** Returns the person's balances of both coins: `BTC available/frozen USDT available/frozen`. */
const has = async (who: Person) => {
  const { base_available, base_frozen, quote_available, quote_frozen } = await api<Funds>(who, 'c2c.detail', { symbol: 'BTCUSDT' })
  return `${base_available}/${base_frozen} ${quote_available}/${quote_frozen}`
}

/*
 * Ann buys at 49,000 and waits in the book, so that she pays the fee of a maker, 0.1 %: of 0.012 BTC she gets 0.011988 for 588 USDT. Bob sells
 * to her and pays the fee of a taker, 0.2 %: of 588 USDT he gets 586.824, at her price though he asks for less.
 */
test.for(windows)('a customer buys in the book, and the order is filled while the page is cut off, %s', async ([, viewport]) => {
  const [ann, bob] = [await person(app.origin, { nickname: 'Ann' }), await person(app.origin, { nickname: 'Bob' })]
  await aid('credit', { user: String(ann.uid), currency: 'USDT', amount: '1000' })
  await aid('credit', { user: String(bob.uid), currency: 'BTC', amount: '1' })
  await aid('instrument', {
    symbol: 'BTCUSDT',
    product: 'spot',
    terms: JSON.stringify({ maker_rate: '0.001', taker_rate: '0.002', value_min: '5' }),
  })
  await app.tick('BTCUSDT', '50000.00')
  await using journey = await travel(visit, {
    target: app.origin,
    who: ann,
    viewport,
    path: 'pages/transaction/currency?symbol=BTCUSDT',
    screen: 'transaction.currency',
  })
  const { page, go, confirm } = journey
  const { currency_id, legal_id } = await api<{ currency_id: number; legal_id: number }>(bob, 'c2c.detail', { symbol: 'BTCUSDT' })
  const bobSells = (amount: string, target_price: string) =>
    api(bob, 'c2c.trade', {
      amount,
      target_price,
      type: 'sell',
      tradeType: 'limit',
      currency_id: String(currency_id),
      legal_id: String(legal_id),
    })
  const buy = async (price: string, quantity: string) => {
    await page.locator('[name=price]').fill(price)
    await page.locator('[name=quantity]').fill(quantity)
    await app.tick('BTCUSDT', '50000.00')
    return confirm(page.getByRole('button', { name: 'Buy BTC' }), '/c2c/trade')
  }
  const row = node(page, 'order-row')

  // Into the book, as the prompt says.
  const { said, sent } = await buy('49000', '0.012')
  for (const word of ['Limit', '49,000.00 USDT', '0.012 BTC', '588 USDT', '0.000024 BTC', '0.011976 BTC', 'Until cancelled'])
    expect(said).toContain(word)
  expect(sent).toMatchObject({
    amount: '0.012',
    target_price: '49000',
    type: 'buy',
    tradeType: 'limit',
    time_in_force: 'gtc',
    currency_id: String(currency_id),
    legal_id: String(legal_id),
  })
  await row.filter({ hasText: 'Filled 0 of 0.012 BTC' }).filter({ hasText: 'Open' }).waitFor()
  await node(page, 'funds').filter({ hasText: '412 USDT' }).waitFor()
  expect(await has(ann)).toBe('0/0 412/588')
  const marked = node(page, 'book').locator('[data-own]')
  await marked.filter({ hasText: '49,000.00' }).waitFor()
  expect(await marked.getAttribute('aria-label')).toContain('including your order')

  // Bob sells a part of it, and the rest while the page is cut off.
  await bobSells('0.005', '49000')
  await row.filter({ hasText: 'Filled 0.005 of 0.012 BTC' }).filter({ hasText: 'Partly filled' }).waitFor()
  expect(await has(ann)).toBe('0.004995/0 412/343')
  const stayedRight = await journey.away({
    gone: 'order',
    meanwhile: () => bobSells('0.007', '48500'),
    isRight: () => node(page, 'orders-none').waitFor(),
  })
  expect(await marked.count()).toBe(0)
  expect(await has(ann)).toBe('0.011988/0 412/0')
  expect(await has(bob)).toBe('0.988/0 586.824/0')
  await node(page, 'form').getByText('Sell', { exact: true }).click()
  await node(page, 'funds').filter({ hasText: '0.011988 BTC' }).waitFor()
  await node(page, 'form').getByText('Buy', { exact: true }).click()
  await node(page, 'funds').filter({ hasText: '412 USDT' }).waitFor()
  await stayedRight()

  // A cancelled order gives its whole amount back.
  await buy('48000', '0.004')
  await row.filter({ hasText: 'Filled 0 of 0.004 BTC' }).waitFor()
  expect(await has(ann)).toBe('0.011988/0 220/192')
  const cancelled = await confirm(node(page, 'order-cancel'), '/c2c/cancel')
  expect(cancelled.said).toContain('192 USDT')
  await node(page, 'orders-none').waitFor()
  await node(page, 'funds').filter({ hasText: '412 USDT' }).waitFor()
  expect(await has(ann)).toBe('0.011988/0 412/0')

  await go('pages/transaction/currency_order?symbol=BTCUSDT', 'transaction.currency_order')
  await node(page, 'lists').getByText('History', { exact: true }).click()
  await row.filter({ hasText: '0 / 0.004' }).filter({ hasText: 'Cancelled' }).waitFor()
  await row.filter({ hasText: '0.012 / 0.012' }).filter({ hasText: 'Filled' }).click()
  const detail = node(page, 'detail')
  for (const word of ['588 USDT', '0.000012 BTC', '0.011988 BTC']) await detail.getByText(word, { exact: true }).first().waitFor()
  await expect.poll(() => detail.locator('[data-node="fill"]').count()).toBe(2)
  expect(await detail.innerText()).toContain('Maker')
})

test.for(windows)(
  'a customer moves an open order on the chart, by pointer and by key, and in a form, %s',
  { tags: 'full' },
  async ([, viewport]) => {
    const ann = await person(app.origin, { nickname: 'Ann' })
    await aid('credit', { user: String(ann.uid), currency: 'USDT', amount: '1000' })
    // The candle reaches from 49,000 to 51,000, so that the lines are in sight.
    for (const price of ['49000.00', '51000.00', '50000.00']) await app.tick('BTCUSDT', price)
    const { currency_id, legal_id } = await api<{ currency_id: number; legal_id: number }>(ann, 'c2c.detail', { symbol: 'BTCUSDT' })
    const { id } = await api<{ id: number }>(ann, 'c2c.trade', {
      amount: '0.01',
      target_price: '49500',
      type: 'buy',
      tradeType: 'limit',
      currency_id: String(currency_id),
      legal_id: String(legal_id),
    })
    await using journey = await travel(visit, {
      target: app.origin,
      who: ann,
      viewport,
      path: 'pages/transaction/currency?symbol=BTCUSDT',
      screen: 'transaction.currency',
    })
    const { page, confirm } = journey
    const sent: Record<string, string>[] = []
    page.on('request', (one) => {
      if (new URL(one.url()).pathname.endsWith('/c2c/move')) sent.push(Object.fromEntries(new URLSearchParams(one.postData() ?? '')))
    })
    const { lines, at, drag, prompt, answer } = chartLines(page)

    // A refused prompt leaves the line where it is; an accepted one moves the order and the money that it holds.
    await at('order', '49,500.00').waitFor()
    await drag(at('order', '49,500.00'), 8)
    await prompt.waitFor()
    await answer('.prompt-cancel')
    await at('order', '49,500.00').waitFor()
    const dragged = await drag(at('order', '49,500.00'), 8)
    await prompt.waitFor()
    const said = await prompt.innerText()
    expect(Number(plain(dragged))).toBeLessThan(49_500)
    for (const word of ['49,500.00', dragged, '0.01 BTC']) expect(said).toContain(word)
    expect(sent).toEqual([])
    await answer('.prompt-ok')
    await at('order', dragged).waitFor()
    expect(sent).toMatchObject([{ id: String(id), price: bare(dragged) }])
    const price = Number(plain(dragged))
    expect(Number((await api<Funds>(ann, 'c2c.detail', { symbol: 'BTCUSDT' })).quote_frozen)).toBeCloseTo(price / 100, 8)

    const line = lines('order').first()
    await line.focus()
    await line.press('ArrowUp')
    await line.press('Enter')
    await prompt.waitFor()
    await answer('.prompt-ok')
    await expect.poll(() => sent.length).toBe(2)
    expect(Number(sent[1]!.price)).toBeCloseTo(price + 0.01, 8)

    await node(page, 'order-move').click()
    await page.locator('[name=limit]').fill('49200')
    const { said: asked, sent: typed } = await confirm(node(page, 'move').locator('button[type=submit]'), '/c2c/move')
    for (const word of ['49,200.00', '492 USDT', '0.01 BTC']) expect(asked).toContain(word)
    expect(typed).toMatchObject({ id: String(id), price: '49200' })
    await node(page, 'order-row').filter({ hasText: '49,200.00' }).waitFor()
    await at('order', '49,200.00').waitFor()
    expect(await has(ann)).toBe('0/0 508/492')
  },
)
