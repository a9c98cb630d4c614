import { expect, test } from 'vitest'
import { aidsOf } from '#tests/support/browser/aids.ts'
import { stands, useBrowser } from '#tests/support/browser/browser.ts'
import { node, travel, windows } from '#tests/support/browser/journey.ts'
import { type Person, person } from '#tests/support/people/people.ts'
import { useApp } from '#tests/support/servers/app.ts'

// Its clock is never set back, so that each test has a day of the exchange for itself.
const app = useApp('manual')
const { visit } = useBrowser()
const { api, aid } = aidsOf(app)

const stock = 'AAPLUSDT'
const hourMs = 3_600_000
const terms = {
  lot_size: '1',
  lots_min: '0.01',
  multiples: [1, 5],
  spread: '0',
  tolerance: '0.001',
  fee_rate: '0.0005',
  maintenance_rate: '0.005',
}
/** Whether the exchange is open, and when that changes. */
const hours = (who: Person) => api<{ open: boolean; next_change: number }>(who, 'lever.deal', { match_id: stock })
const setClock = (now: number) => aid('clock', { now: String(now) })

/** Goes to an hour before the next opening. @returns the opening */
async function goBeforeOpening(who: Person): Promise<number> {
  const now = await hours(who)
  if (now.open) await setClock(now.next_change)
  const { next_change } = await hours(who)
  await setClock(next_change - hourMs)
  return next_change
}

/*
 * A lot is one share, without a spread, fees are 0.05 %:
 *   10 lots ×5 that wait at 190        → margin 380, fee 0.95, so 619.05 of 1,000 are left
 *   filled at the first price, 191     → margin 382, fee 0.955, so 617.045
 *   take profit at 200                 → profit 90, fee 1, so 88.045 after all fees
 */
test.for(windows)('a stock opens, reaches the take profit and closes while the page is cut off, %s', async ([, viewport]) => {
  const ann = await person(app.origin, { nickname: 'Ann' })
  await aid('credit', { user: String(ann.uid), account: 'lever', currency: 'USDT', amount: '1000' })
  await aid('instrument', { symbol: stock, product: 'contract', terms: JSON.stringify(terms) })
  const opens = await goBeforeOpening(ann)
  await app.tick(stock, '190.00')
  await using journey = await travel(visit, {
    target: app.origin,
    who: ann,
    viewport,
    path: 'pages/transaction/index2',
    screen: 'transaction.index2',
  })
  const { page, confirm } = journey
  const card = node(page, 'position')
  const openLong = page.getByRole('button', { name: 'Open long' })
  const closed = node(page, 'closed').filter({ hasText: 'The market is closed. It opens' })
  const has = (text: string) => expect.poll(async () => (await api<{ available: string }>(ann, 'lever.dealall')).available).toBe(text)
  const fact = (id: string, text: string) => card.locator(`[data-fact="${id}"] dd`).filter({ hasText: text }).waitFor()

  // Before the opening an order is only taken to wait for it.
  await node(page, 'stocks').locator(`[data-key="${stock}"]`).click()
  await stands(page, 'transaction.index')
  await page.getByRole('button', { name: 'Long', exact: true }).click()
  await stands(page, 'transaction.contract')
  await closed.waitFor()
  await page.locator('[name=multiple]').selectOption('5')
  await page.locator('[name=lots]').fill('10')
  await page.locator('[name=exits]').selectOption('price')
  await page.locator('[name=target_profit_price]').fill('200')
  expect(await openLong.isEnabled()).toBe(false)
  await node(page, 'ticket-queue').locator('input').check()
  const { said, sent } = await confirm(openLong, '/lever/orderOpen')
  for (const word of ['After the market opens', '×5', '190.00', '380 USDT', '0.95 USDT', '200.00']) expect(said).toContain(word)
  expect(sent).toMatchObject({
    match_id: stock,
    side: 'long',
    type: 'market',
    lots: '10',
    multiple: '5',
    outside_hours: 'queue',
    worst_price: '',
    target_profit_price: '200',
  })
  await has('619.05')
  await page.getByText('Orders (1)', { exact: true }).click()
  await node(page, 'order').waitFor()

  // The first price after the opening fills it.
  const openedRight = await journey.away({
    gone: 'order',
    async meanwhile() {
      await setClock(opens + 1_000)
      await app.tick(stock, '191.00')
      await has('617.045')
    },
    async isRight() {
      await node(page, 'no-orders').waitFor()
      await node(page, 'totals').filter({ hasText: '617.04' }).waitFor()
      await page.getByText('Positions (1)', { exact: true }).waitFor()
      await closed.waitFor({ state: 'detached' })
    },
  })
  await page.getByText('Positions (1)', { exact: true }).click()
  await card.locator('[data-part="more"]').click()
  await fact('open_price', '191.00')
  await app.tick(stock, '195.00')
  await card.filter({ hasText: '+38.07 USDT' }).waitFor()
  await openedRight()

  // The price reaches the take profit, and falls again behind it.
  const tookRight = await journey.away({
    gone: 'position',
    async meanwhile() {
      await app.tick(stock, '200.00')
      await has('1088.045')
      await app.tick(stock, '196.00')
    },
    async isRight() {
      await node(page, 'none').waitFor()
      await node(page, 'totals').filter({ hasText: '1,088.04' }).waitFor()
    },
  })
  await app.tick(stock, '200.00')
  expect(await card.count()).toBe(0)
  await tookRight()

  // The exchange closes, and nothing of the customer's changes with it.
  expect(await node(page, 'ticket-queue').count()).toBe(0)
  const { next_change: closes } = await hours(ann)
  const closedRight = await journey.away({
    gone: 'position',
    meanwhile: () => setClock(closes),
    async isRight() {
      await closed.waitFor()
      await node(page, 'ticket-queue').waitFor()
    },
  })
  await closedRight()
})

test.for(windows)(
  'a position of a closed exchange is closed at the opening, as its customer asked, %s',
  { tags: 'full' },
  async ([, viewport]) => {
    const ben = await person(app.origin, { nickname: 'Ben' })
    await aid('credit', { user: String(ben.uid), account: 'lever', currency: 'USDT', amount: '1000' })
    await aid('instrument', { symbol: stock, product: 'contract', terms: JSON.stringify(terms) })
    await setClock((await goBeforeOpening(ben)) + 1_000)
    await app.tick(stock, '200.00')
    const order = { match_id: stock, side: 'long', lots: '10', multiple: '5' }
    const { id } = await api<{ id: number }>(ben, 'lever.orderOpen', order)
    const nextOpening = await goBeforeOpening(ben)
    await using journey = await travel(visit, {
      target: app.origin,
      who: ben,
      viewport,
      path: `pages/transaction/position?id=${id}`,
      screen: 'transaction.position',
    })
    const { page, confirm } = journey
    const card = node(page, 'card')
    const closeAtOpening = node(page, 'opening-press')

    await node(page, 'closed').filter({ hasText: 'The market is closed. It opens' }).waitFor()
    const { said, sent } = await confirm(closeAtOpening, '/lever/closeAtOpening')
    for (const word of ['AAPL/USDT', '10', '200.00']) expect(said).toContain(word)
    expect(sent).toMatchObject({ id: String(id), wanted: '1' })
    await card.filter({ hasText: 'Closes at the opening' }).waitFor()
    await node(page, 'opening-undo').click()
    await closeAtOpening.waitFor()
    expect(await card.filter({ hasText: 'Closes at the opening' }).count()).toBe(0)
    await confirm(closeAtOpening, '/lever/closeAtOpening')
    await node(page, 'opening').waitFor()

    const closedRight = await journey.away({
      gone: 'opening-undo',
      async meanwhile() {
        await app.tick(stock, '150.00')
        await setClock(nextOpening + 1_000)
        await app.tick(stock, '205.00')
        await expect.poll(async () => (await api<{ list: string }>(ben, 'lever.order', { id: String(id) })).list).toBe('history')
      },
      async isRight() {
        await card.filter({ hasText: 'Closed by you' }).waitFor()
        await card.locator('[data-fact="exit_price"] dd').filter({ hasText: '205.00' }).waitFor()
        await node(page, 'opening-undo').waitFor({ state: 'detached' })
      },
    })
    await closedRight()
  },
)
