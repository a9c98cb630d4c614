import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { aidsOf } from '#tests/support/browser/aids.ts'
import { findings } from '#tests/support/browser/axe.ts'
import { phone, stands, useBrowser } from '#tests/support/browser/browser.ts'
import { node, travel, windows } from '#tests/support/browser/journey.ts'
import { expectToast } from '#tests/support/browser/messages.ts'
import { ownDocuments } from '#tests/support/documents.ts'
import { atBackOffice, operator } from '#tests/support/people/operators.ts'
import { type Person, person, profile } from '#tests/support/people/people.ts'
import { makeDual } from '#tests/support/people/trading.ts'
import { useOwnApp } from '#tests/support/servers/app.ts'

// Of its own, because its clock is moved over days and never set back.
const app = useOwnApp({ FEED: 'manual' })
const { visit } = useBrowser()
const { api, aid } = aidsOf(app)
const dayMs = 86_400_000

/** A moment of a test: later than all that the tests before have moved the clock to. */
let moments = 0
async function later(): Promise<number> {
  const now = Date.now() + moments++ * 10 * dayMs
  await aid('clock', { now: String(now) })
  await app.tick('BTCUSDT', '58000.00')
  return now
}
async function customer(nickname: string, btc: string): Promise<Person> {
  const who = await person(app.origin, { nickname })
  await aid('credit', { user: String(who.uid), currency: 'BTC', amount: btc })
  return who
}
interface Detail {
  remaining: number
  held: number
  available: string
  currency_id: number
  terms_version: number
}
const detail = (who: Person, id: string) => api<Detail>(who, 'dual.detail', { id })
interface Order {
  id: number
  settle_tick: { tick_id: number; time: number; price: string; hash: string }
}

/** How the deal card shows its risk: sizes in px, contrast as WCAG 2 computes it, and whether it stands above all that can be pressed. */
const readRisk = (page: Page) =>
  page.evaluate(() => {
    const card = document.querySelector('[data-node="deal"]')!
    const lines = [...card.querySelectorAll('p')].filter(({ innerText }) => /Risk level 3 of 5|Worst case: /.test(innerText))
    const rates = [...card.querySelectorAll('dt')].filter(({ innerText }) => innerText.includes('Yield'))
    const buttons = [...document.querySelectorAll('[data-node="deal"] button, [data-node="form"] button, [data-node="form"] input')]
    const pen = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!
    const colour = (text: string) => {
      pen.clearRect(0, 0, 1, 1)
      pen.fillStyle = text
      pen.fillRect(0, 0, 1, 1)
      return [...pen.getImageData(0, 0, 1, 1).data]
    }
    const behind = (element: Element | null): string => {
      const own = element ? getComputedStyle(element).backgroundColor : 'white'
      return element && colour(own)[3] === 0 ? behind(element.parentElement) : own
    }
    const light = (text: string) => {
      const [r = 0, g = 0, b = 0] = colour(text).map((part) => (part <= 10 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4))
      return 0.2126 * r + 0.7152 * g + 0.0722 * b
    }
    const contrast = (element: Element) => {
      const [high = 0, low = 0] = [light(getComputedStyle(element).color), light(behind(element))].sort((a, b) => b - a)
      return (high + 0.05) / (low + 0.05)
    }
    const size = (element: Element) => Number.parseFloat(getComputedStyle(element).fontSize)
    const bottom = Math.max(...lines.map((line) => line.getBoundingClientRect().bottom))
    return {
      lines: lines.length,
      sizes: lines.map(size),
      normal: Math.max(size(document.body), ...rates.map(size)),
      contrasts: lines.map(contrast),
      below: bottom - Math.min(...buttons.map((button) => button.getBoundingClientRect().top)),
      buttons: buttons.length,
      unseen: bottom - innerHeight,
    }
  })

/* Three shares of 0.01 BTC at 36.5 % for two days: 0.03 × 1.002 = 0.03006 BTC, or 0.03 × 60,000 × 1.002 = 1,803.6 USDT. */
test.for(windows)('a customer reads the risk, buys shares, and checks the price that decided, %s', async ([, viewport]) => {
  const now = await later()
  const { id, matures } = await makeDual(app.origin, now)
  const ann = await customer('Ann', '0.035')
  await using journey = await travel(visit, { target: app.origin, who: ann, viewport, path: '', screen: 'home.home' })
  const { page, confirm, go } = journey
  const seen: string[] = []
  const look = async (place: string) => void seen.push(...(await findings(page)).map((one) => `${place}: ${one}`))

  await node(page, 'entries').locator('button[aria-expanded="false"]').click()
  await node(page, 'entries').locator('a[href="#/pages/invest/invest"]').click()
  await stands(page, 'invest.invest')
  const product = node(page, 'product').and(page.locator(`[data-key="${id}"]`))
  await product.filter({ hasText: 'Invest BTC, sell high' }).waitFor()
  // The code of figures and bars comes after that of the row.
  for (const words of ['60,000 USDT', '36.50%', '0.20%', '5 of 5 shares left'])
    await expect.poll(() => product.innerText()).toContain(words)
  await look('list')
  await product.click()
  await stands(page, 'invest.purchase')
  await node(page, 'deal').filter({ hasText: 'Risk level 3 of 5' }).waitFor()
  const buy = node(page, 'form').locator('button[type=submit]')
  await buy.waitFor()

  const risk = await readRisk(page)
  expect(risk).toMatchObject({ lines: 2, buttons: expect.toSatisfy((count: number) => count > 2) })
  expect(risk.below).toBeLessThanOrEqual(0)
  expect(risk.unseen).toBeLessThanOrEqual(0)
  expect(Math.min(...risk.sizes)).toBeGreaterThanOrEqual(risk.normal)
  expect(Math.min(...risk.contrasts)).toBeGreaterThanOrEqual(4.5)

  // More than the balance pays for is stopped here, in words, and what was typed stays.
  await page.locator('[name=num]').fill('4')
  await buy.click()
  await node(page, 'form').getByText('Insufficient balance').waitFor()
  await node(page, 'transfer').waitFor()
  expect([await page.getByRole('alertdialog').count(), await page.locator('[name=num]').inputValue()]).toEqual([0, '4'])
  await page.locator('[name=num]').fill('3')
  await node(page, 'deal').filter({ hasText: '0.03006 BTC' }).waitFor()
  await look('purchase')

  const { currency_id } = await detail(ann, id)
  const { said, sent } = await confirm(buy, '/dual/buyDual')
  for (const words of [
    'Buy 3 shares?',
    `No. ${id}, terms 1`,
    '3 shares of 0.01 BTC',
    '0.03 BTC',
    '36.50%',
    '0.20%',
    '0.03006 BTC',
    '1,803.6 USDT',
  ])
    expect(said).toContain(words)
  expect(sent).toMatchObject({ id, num: '3', currency_id: String(currency_id), type: 'call', terms_version: '1' })
  await expectToast(page, 'Investment bought')
  await stands(page, 'invest.mine')
  expect(await detail(ann, id)).toMatchObject({ held: 3, remaining: 2, available: '0.005' })
  const row = node(page, 'order').first()
  await row.filter({ hasText: 'Running' }).click()
  const expected = node(page, 'expected')
  for (const words of ['0.03006 BTC', '1,803.6 USDT']) await expected.filter({ hasText: words }).waitFor()
  await look('running')
  await page.keyboard.press('Escape')

  // In the last minute before the maturity the price is below the linked one; the one after it no longer counts.
  await go('', 'home.home')
  await aid('clock', { now: String(matures - 50_000) })
  await app.tick('BTCUSDT', '59999.99')
  await aid('clock', { now: String(matures + 1_000) })
  await app.tick('BTCUSDT', '60500.00')
  await expectToast(page, 'Your BTC/USDT dual investment was paid back: 0.03006 BTC.')
  expect((await detail(ann, id)).available).toBe('0.03506')

  // The notice opens this investment, with its proof.
  await node(page, 'to-notices').click()
  await node(page, 'notice').filter({ hasText: '0.03006 BTC' }).click()
  await stands(page, 'invest.mine')
  const { list } = await api<{ list: Order[] }>(ann, 'dual.dualList')
  const { settle_tick: tick } = await api<Order>(ann, 'dual.getOrderDetail', { id: String(list[0]!.id) })
  expect(tick.price).toBe('59999.99')
  expect(tick.time).toBeLessThanOrEqual(matures)
  const proof = node(page, 'proof-rows')
  for (const words of [tick.tick_id, tick.time, tick.price, tick.hash]) await proof.filter({ hasText: String(words) }).waitFor()
  for (const words of ['0.03006 BTC', '59,999.99 USDT']) await node(page, 'paid').filter({ hasText: words }).waitFor()
  const check = node(page, 'check')
  await check.getByRole('button', { name: 'Check it here' }).click()
  await check.getByText('Everything that can be checked here is right.').waitFor()
  await check.getByText('It is the last price of BTCUSDT up to the end of the order').waitFor()
  await look('settled')
  expect(seen).toEqual([])
})

test('of the last share one is sold: the second customer is told, and pays nothing', async () => {
  const { id } = await makeDual(app.origin, await later(), { total: '1', limit_each: '1' })
  const [ann, ben] = [await customer('Ann', '0.01'), await customer('Ben', '0.01')]
  const { page, go, allow } = await visit({
    origin: app.origin,
    viewport: phone,
    storageState: profile(app.origin, ann.token),
    path: `pages/invest/purchase?id=${id}`,
    screen: 'invest.purchase',
  })
  allow(/409 \(Conflict\)/)
  await node(page, 'form').locator('button[type=submit]').click()
  await page.getByRole('alertdialog').waitFor()
  const { currency_id } = await detail(ben, id)
  await api(ben, 'dual.buyDual', { id, num: '1', currency_id: String(currency_id) })
  await page.locator('.prompt-ok').click()
  await node(page, 'closed').filter({ hasText: 'All shares are sold.' }).waitFor()
  expect(await node(page, 'form').locator('button[type=submit]').isEnabled()).toBe(false)
  expect(await detail(ann, id)).toMatchObject({ held: 0, remaining: 0, available: '0.01' })
  await go('pages/invest/mine', 'invest.mine')
  await node(page, 'none').waitFor()
})

test('a sale that operators pause, resume and end is so at once on the pages that are open, and its button says why', async () => {
  const [list, purchase] = ['invest.invest', 'invest.purchase']
  // Without their own questions every few seconds, these pages hear of it from the server alone.
  const { documents } = await ownDocuments()
  const quiet = documents.flatMap(({ key, doc }) =>
    doc.kind === 'screen' && [list, purchase].includes(doc.id)
      ? [
          [
            key,
            { ...doc, data: Object.fromEntries(Object.entries(doc.data ?? {}).map(([name, { everyMs: _, ...source }]) => [name, source])) },
          ],
        ]
      : [],
  )
  expect(quiet).toHaveLength(2)
  await app.force(Object.fromEntries(quiet))
  const { id } = await makeDual(app.origin, await later())
  const ann = await customer('Ann', '0.05')
  const opened = async (path: string, screen: string) =>
    (await visit({ origin: app.origin, storageState: profile(app.origin, ann.token), path, screen })).page
  const [shown, bought] = [await opened('pages/invest/invest', list), await opened(`pages/invest/purchase?id=${id}`, purchase)]
  const row = node(shown, 'product').and(shown.locator(`[data-key="${id}"]`))
  const button = node(bought, 'form').locator('button[type=submit]')
  await row.filter({ hasText: 'On sale' }).waitFor()
  await button.filter({ hasText: 'Invest 0.01 BTC' }).waitFor()

  const chief = await operator(app.origin, 'sale-chief', ['administrator'])
  for (const [step, badge, press, why] of [
    ['pause', 'Paused', 'Sale paused', 'The sale is paused.'],
    ['resume', 'On sale', 'Invest 0.01 BTC', undefined],
    ['end', 'Ended', 'Sale ended', 'The sale has ended.'],
  ] as const) {
    await atBackOffice(app.origin, chief, 'office.termsSale', { product: 'dual', key: id, step })
    await row.filter({ hasText: badge }).waitFor()
    await button.filter({ hasText: press }).waitFor()
    expect(await button.isEnabled(), step).toBe(why === undefined)
    await node(bought, 'form')
      .getByText(why ? /One share is 0.01 BTC.$/ : 'One share is 0.01 BTC. You can buy up to 4.')
      .waitFor()
    if (why) await node(bought, 'closed').filter({ hasText: why }).waitFor()
    else await node(bought, 'closed').waitFor({ state: 'detached' })
  }
  await app.restore()
})
