import { afterEach, expect, test } from 'vitest'
import { aidsOf } from '#tests/support/browser/aids.ts'
import { desktop, phone, stands, useBrowser } from '#tests/support/browser/browser.ts'
import { node, travel, windows } from '#tests/support/browser/journey.ts'
import { expectToast } from '#tests/support/browser/messages.ts'
import { atWork, operator } from '#tests/support/people/operators.ts'
import { person, profile } from '#tests/support/people/people.ts'
import { acceptTrader, makeTrader } from '#tests/support/people/trading.ts'
import { inputs } from '#tests/support/right-inputs.ts'
import { useApp } from '#tests/support/servers/app.ts'

const app = useApp('manual')
const { visit } = useBrowser()
const { api, aid } = aidsOf(app)
afterEach(() => aid('clock', {}))

const terms = { lot_size: '0.01', lots_min: '0.01', multiples: [2, 20], spread: '0', fee_rate: '0.0005' }

/*
 * Ann copies half of the lots, a lot is 0.01 BTC, fees are 0.05 %:
 *   5 lots from 50,000 to 51,000, of which 2 are closed at 50,500 → profit 10 + 30, fees 1.25 + 0.505 + 0.765, so 37.48
 *   5 lots from 51,000 to 48,000 → loss 150, fees 1.275 + 1.2, so −152.475; with the first −114.995, more than the 100 that Ann wants to lose
 */
test.for(windows)('a customer copies a trader, who closes while the page is cut off, %s', async ([, viewport]) => {
  const [tess, ann] = [await person(app.origin, { nickname: 'Tess' }), await person(app.origin, { nickname: 'Ann' })]
  const name = `Tess ${viewport.width}`
  for (const { uid } of [tess, ann]) await aid('credit', { user: String(uid), account: 'lever', currency: 'USDT', amount: '10000' })
  await aid('instrument', { symbol: 'BTCUSDT', product: 'contract', terms: JSON.stringify(terms) })
  const trade = async (price: string, call: 'lever.orderOpen' | 'lever.close', fields: Record<string, string>) => {
    await app.tick('BTCUSDT', price)
    return api<{ id: number }>(tess, call, fields)
  }
  const open = async (price: string, multiple: string) =>
    String((await trade(price, 'lever.orderOpen', { match_id: 'BTCUSDT', side: 'long', lots: '10', multiple })).id)

  // Tess applies, and the back office accepts her.
  const hers = await visit({
    origin: app.origin,
    path: 'pages/copytrade/trader',
    screen: 'copytrade.trader',
    viewport,
    storageState: profile(app.origin, tess.token),
  })
  await hers.page.locator('[name=nickname]').fill(name)
  await hers.page.locator('[name=introduction]').fill('A few trades a week')
  await hers.page.getByRole('button', { name: 'Apply' }).click()
  await hers.page.getByText(`Your application as ${name} is under review.`).waitFor()
  await acceptTrader(app.origin, tess)
  await node(hers.page, 'is-trader').filter({ hasText: name }).waitFor()

  // Ann finds her, and must agree before she copies her.
  await using journey = await travel(visit, { target: app.origin, who: ann, viewport, path: 'pages/follow/index', screen: 'follow.index' })
  const { page, go, confirm } = journey
  await node(page, 'trader').filter({ hasText: name }).click()
  await stands(page, 'follow.trader')
  await node(page, 'copy').click()
  await stands(page, 'follow.follow')
  await page.locator('[name=number]').fill('0.5')
  await page.getByText('Where the trader opens 10 lots, you open 5.').waitFor()
  await page.locator('[name=stop_loss]').fill('100')
  const begin = page.getByRole('button', { name: 'Start copying' })
  const agree = (language: string) => node(page, `begin-agree_${language}`).locator('input')
  await begin.click()
  await expect.poll(() => agree('en').getAttribute('aria-invalid')).toBe('true')
  await agree('en').check()
  await begin.click()
  await expect.poll(() => agree('zh').getAttribute('aria-invalid')).toBe('true')
  expect(await page.getByRole('alertdialog').count()).toBe(0)
  await agree('zh').check()
  const { said, sent } = await confirm(begin, '/follow/follow')
  for (const word of [`Copy ${name}?`, 'Fixed multiple', '0.5', '100 USDT']) expect(said).toContain(word)
  expect(sent).toMatchObject({
    trader_user_id: String(tess.uid),
    type: 'multiple',
    number: '0.5',
    stop_loss: '100',
    agree_en: '1',
    agree_zh: '1',
  })
  await stands(page, 'copytrade.my')
  const following = node(page, 'following')
  await following.filter({ hasText: 'Copying' }).filter({ hasText: '× 0.5' }).waitFor()

  // Positions that Tess opens are copied: in part, as she closes in part, and in whole while the page is cut off.
  await go('pages/copytrade/copy', 'copytrade.copy')
  await node(page, 'none').waitFor()
  const card = node(page, 'position')
  const fact = (id: string, text: string) =>
    card
      .locator(`[data-fact="${id}"] dd`)
      .filter({ hasText: new RegExp(`^${text.replace('.', '\\.')}$`) })
      .waitFor()
  const first = await open('50000', '20')
  await fact('lots', '5')
  await fact('margin', '125.00')
  await trade('50500', 'lever.close', { id: first, lots: '4' })
  await fact('lots', '3')
  const stayedRight = await journey.away({
    gone: 'position',
    async meanwhile() {
      await trade('51000', 'lever.close', { id: first })
      await expect.poll(async () => (await api<{ list: object[] }>(ann, 'follow.copies', { status: 'closed' })).list.length).toBe(1)
    },
    isRight: () => node(page, 'none').waitFor(),
  })
  await app.tick('BTCUSDT', '50500')
  expect(await card.count()).toBe(0)
  await node(page, 'status').getByText('Closed', { exact: true }).click()
  await node(page, 'ended').filter({ hasText: '+37.48 USDT' }).filter({ hasText: 'Closed with the trader' }).waitFor()
  await stayedRight()

  // The next one loses more than Ann allows: copying ends.
  await node(page, 'status').getByText('Open', { exact: true }).click()
  await node(page, 'none').waitFor()
  const second = await open('51000', '2')
  await fact('lots', '5')
  await go('pages/copytrade/my', 'copytrade.my')
  await trade('48000', 'lever.close', { id: second })
  await following.filter({ hasText: 'Stopped at a loss' }).filter({ hasText: '−114.995' }).waitFor()
  expect(await following.getByRole('button', { name: 'Stop copying' }).count()).toBe(0)
  await open('48000', '2')
  const mine = await api<{ open: number; closed: number; result: string; list: { skipped: number }[] }>(ann, 'follow.mine')
  expect(mine).toMatchObject({ open: 0, closed: 2, result: '-114.995', list: [{ skipped: 0 }] })
})

test('a reviewer ends a trader, and whoever copied her reads that it is over', async () => {
  const [tess, ann] = [await person(app.origin), await person(app.origin)]
  const name = `Tess ${tess.uid % 10_000}`
  await makeTrader(app.origin, { api }, tess, name)
  await api(ann, 'follow.follow', { ...inputs['follow.follow'], trader_user_id: String(tess.uid) })
  const hers = await visit({
    origin: app.origin,
    path: 'pages/copytrade/my',
    screen: 'copytrade.my',
    viewport: phone,
    storageState: profile(app.origin, ann.token),
  })
  await node(hers.page, 'following').filter({ hasText: 'Copying' }).waitFor()

  const rita = await operator(app.origin, 'rita', ['reviewer'])
  const { page } = await visit({ origin: app.origin, viewport: desktop, storageState: atWork(app.origin, rita) })
  await page.goto(`${app.origin}/console/#/back-office/traders?status=passed&search=${tess.uid}`)
  const office = page.frameLocator('iframe')
  await office.locator('tbody tr').click()
  await node(office, 'end').click()
  const form = node(office, 'end-form')
  await form.locator('textarea').fill('At your own wish')
  await form.getByRole('button', { name: 'End trader status', exact: true }).click()
  const prompt = office.getByRole('alertdialog')
  for (const text of ['End the trader status?', name, 'Followings that end', 'At your own wish'])
    await prompt.getByText(text).first().waitFor()
  await prompt.locator('.prompt-ok:not([aria-disabled])').click()
  await expectToast(office, 'The trader status has ended')
  await node(office, 'state').filter({ hasText: 'Ended' }).waitFor()
  await node(office, 'why').filter({ hasText: 'At your own wish' }).waitFor()
  await node(office, 'decided').filter({ hasText: 'rita' }).waitFor()
  expect(await node(office, 'end').count()).toBe(0)

  // Her page hears of it by itself, and leads to the trader, who can no longer be copied.
  const following = node(hers.page, 'following').filter({ hasText: 'Ended' })
  await following.waitFor()
  await node(hers.page, 'trader').click()
  await stands(hers.page, 'follow.trader')
  await node(hers.page, 'ended').filter({ hasText: 'No longer a trader since' }).waitFor()
  expect(await node(hers.page, 'copy').count()).toBe(0)
  await hers.page.goto(`${app.origin}/#/pages/follow/index`)
  await stands(hers.page, 'follow.index')
  expect(await node(hers.page, 'trader').filter({ hasText: name }).count()).toBe(0)
})
