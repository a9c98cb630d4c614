import type { FrameLocator } from 'playwright'
import { expect, test } from 'vitest'
import { aidsOf } from '#tests/support/browser/aids.ts'
import { desktop, phone, stands, useBrowser } from '#tests/support/browser/browser.ts'
import { node, travel, windows } from '#tests/support/browser/journey.ts'
import { expectToast } from '#tests/support/browser/messages.ts'
import { atBackOffice, atWork, operator } from '#tests/support/people/operators.ts'
import { person, profile } from '#tests/support/people/people.ts'
import { makeOffer } from '#tests/support/people/trading.ts'
import { useApp } from '#tests/support/servers/app.ts'

const app = useApp('manual')
const { visit } = useBrowser()
const { api, aid } = aidsOf(app)

const backOfficeStands = (office: FrameLocator, screen: string) => office.locator(`[data-screen="office.${screen}"]`).waitFor()
async function openOffice(name: string, roles: ('reviewer' | 'administrator')[], path: string) {
  const who = await operator(app.origin, name, roles)
  const { page } = await visit({ origin: app.origin, viewport: desktop, storageState: atWork(app.origin, who) })
  await page.goto(`${app.origin}/console/#/back-office${path}`)
  return { who, page, office: page.frameLocator('iframe') }
}

test('an administrator proposes an offer, a second agrees, a customer orders, and a reviewer settles', { tags: 'full' }, async () => {
  const { office, page: boss } = await openOffice('rita', ['administrator'], '/offer_new')
  await backOfficeStands(office, 'offer_new')
  for (const [field, value] of Object.entries({ price: '50000.5', amount_min: '0.01', amount_max: '1', whole: '5' }))
    await office.locator(`[name=${field}]`).fill(value)
  await office.getByRole('button', { name: 'Propose' }).click()
  const proposal = office.getByRole('alertdialog')
  await proposal.waitFor()
  for (const words of ['The house sells', '5 BTC', '50,000.5 USDT']) expect(await proposal.innerText()).toContain(words)
  await office.locator('.prompt-ok').click()
  await backOfficeStands(office, 'offer')
  await node(office, 'facts').filter({ hasText: 'Proposed' }).waitFor()
  await node(office, 'withdraw').waitFor()
  expect(await node(office, 'agree').count()).toBe(0)

  const chief = await operator(app.origin, 'chief', ['administrator'])
  const { list } = await atBackOffice<{ list: { id: number }[] }>(app.origin, chief, 'office.otcOffers', { status: 'proposed' })
  const offer = { id: String(list[0]!.id) }
  const waits = await atBackOffice<{ proposal: { id: number } }>(app.origin, chief, 'office.otcOffer', offer)
  await atBackOffice(app.origin, chief, 'office.proposalAgree', { id: String(waits.proposal.id) })

  const ann = await person(app.origin, { nickname: 'Ann', level: '2' })
  await aid('credit', { user: String(ann.uid), currency: 'USDT', amount: '20000' })
  const { page } = await visit({
    origin: app.origin,
    viewport: phone,
    colorScheme: 'dark',
    path: 'pages/transaction/otc',
    screen: 'transaction.otc',
    storageState: profile(app.origin, ann.token),
  })
  await node(page, 'offer').filter({ hasText: '50,000.5 USDT' }).click()
  await page.locator('[name=amount]').fill('0.33333333')
  await node(page, 'sums').filter({ hasText: '16,666.83316667 USDT' }).waitFor()
  await node(page, 'form').getByRole('button', { name: 'Buy BTC' }).click()
  const prompt = page.getByRole('alertdialog')
  await prompt.waitFor()
  for (const words of ['0.33333333 BTC', '50,000.5 USDT', '16,666.83316667 USDT']) expect(await prompt.innerText()).toContain(words)
  await page.locator('.prompt-ok').click()
  await expectToast(page, 'Order sent for review')
  await node(page, 'to-orders').click()
  await node(page, 'order').filter({ hasText: 'Under review' }).waitFor()

  const review = await openOffice('olga', ['reviewer'], '/otc')
  await backOfficeStands(review.office, 'otc')
  await review.office.locator('tbody tr').filter({ hasText: 'Ann' }).click()
  await backOfficeStands(review.office, 'otc_order')
  await node(review.office, 'facts').filter({ hasText: '16,666.83316667 USDT' }).waitFor()
  await node(review.office, 'approve').click()
  await review.office.locator('.prompt-ok').click()
  await review.office.getByText('The order is settled').waitFor()

  await node(page, 'order').filter({ hasText: 'Settled' }).waitFor()
  await boss.reload()
  await node(office, 'facts').filter({ hasText: '4.66666667 BTC' }).waitFor()
})

test('an offer that replaces another begins with its terms, its days and what is left of it', async () => {
  const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)
  const days = { from: day(-1), until: day(20) }
  const offer = await makeOffer(app.origin, { price: '50000.5', whole: '5', ...days })
  const ann = await person(app.origin, { nickname: 'Ann', level: '2' })
  await aid('credit', { user: String(ann.uid), currency: 'USDT', amount: '60000' })
  await api(ann, 'otc.order', { offer_id: offer, amount: '1' })

  const { office } = await openOffice('rosa', ['administrator'], `/offer?id=${offer}`)
  await node(office, 'replace').click()
  await backOfficeStands(office, 'offer_new')
  const fields = { price: '50000.5', amount_min: '0.01', amount_max: '1', whole: '4', ...days }
  for (const [name, value] of Object.entries(fields))
    await expect.poll(() => office.locator(`[name=${name}]`).inputValue(), { message: name }).toBe(value)
  await office.locator('[name=price]').fill('50500')
  await office.getByRole('button', { name: 'Propose' }).click()
  await office.locator('.prompt-ok').click()
  await backOfficeStands(office, 'offer')
  const chief = await operator(app.origin, 'roy', ['administrator'])
  type Offer = { price: string; whole: string; replaces: number; first_day: string; last_day: string }
  const { list } = await atBackOffice<{ list: { id: number }[] }>(app.origin, chief, 'office.otcOffers', { status: 'proposed' })
  const made = await atBackOffice<Offer>(app.origin, chief, 'office.otcOffer', { id: String(list[0]!.id) })
  expect(made).toMatchObject({ price: '50500', whole: '4', replaces: Number(offer), first_day: days.from, last_day: days.until })
})

/* Of 20,000 USDT 0.33333333 BTC at 50,000.5 cost 16,666.83316667, and 0.05 BTC are 2,500.025 of the 3,333.16683333 that are left. */
test.for(windows)('a customer orders OTC, and is cut off while the order is settled and the offer closed, %s', async ([, viewport]) => {
  const offer = await makeOffer(app.origin, { price: '50000.5' })
  const [olga, chief] = [await operator(app.origin, 'otc-olga', ['reviewer']), await operator(app.origin, 'otc-chief', ['administrator'])]
  const ann = await person(app.origin, { nickname: 'Ann', level: '2' })
  await aid('credit', { user: String(ann.uid), currency: 'USDT', amount: '20000' })
  await using journey = await travel(visit, {
    target: app.origin,
    who: ann,
    viewport,
    path: 'pages/transaction/otc',
    screen: 'transaction.otc',
  })
  const { page, go, confirm } = journey
  const offered = node(page, 'offer').and(page.locator(`[data-key="${offer}"]`))
  const order = async (amount: string) => {
    await offered.click()
    await page.locator('[name=amount]').fill(amount)
    const asked = await confirm(node(page, 'form').getByRole('button', { name: 'Buy BTC' }), '/otc/order')
    await expectToast(page, 'Order sent for review')
    await node(page, 'to-orders').click()
    await stands(page, 'transaction.otc_order')
    return asked
  }
  const row = (status: string) => node(page, 'order').filter({ hasText: status })
  const has = async () => {
    type Offers = { list: { id: number; coin_available: string; quote_available: string }[] }
    const found = (await api<Offers>(ann, 'otc.offers', { side: 'buy' })).list.find(({ id }) => String(id) === offer)!
    return `${found.coin_available} ${found.quote_available}`
  }

  const { said, sent } = await order('0.33333333')
  for (const words of ['0.33333333 BTC', '50,000.5 USDT', '16,666.83316667 USDT']) expect(said).toContain(words)
  expect(sent).toMatchObject({ offer_id: offer, amount: '0.33333333' })
  expect(await has()).toBe('0 3333.16683333')

  // Its details stand open while it is settled.
  await row('Under review').click()
  await node(page, 'order-cancel').waitFor()
  const { list } = await api<{ list: { id: number }[] }>(ann, 'otc.orders')
  const settledRight = await journey.away({
    gone: 'order-cancel',
    meanwhile: () => atBackOffice(app.origin, olga, 'office.otcApprove', { id: String(list[0]!.id) }),
    async isRight() {
      await row('Settled').waitFor()
      await node(page, 'facts').filter({ hasText: 'Settled' }).waitFor()
      await node(page, 'order-cancel').waitFor({ state: 'detached' })
    },
  })
  expect(await has()).toBe('0.33333333 3333.16683333')
  await settledRight()
  await page.keyboard.press('Escape')

  // An order that is taken back returns whole.
  await go('pages/transaction/otc', 'transaction.otc')
  await order('0.05')
  expect(await has()).toBe('0.33333333 833.14183333')
  await row('Under review').click()
  const cancelled = await confirm(node(page, 'order-cancel'), '/otc/cancel')
  expect(cancelled.said).toContain('2,500.025 USDT')
  await row('Cancelled').waitFor()
  expect(await has()).toBe('0.33333333 3333.16683333')

  // An offer that the house has withdrawn cannot be ordered.
  await go('pages/transaction/otc', 'transaction.otc')
  await offered.waitFor()
  const closedRight = await journey.away({
    gone: 'offer',
    meanwhile: () => atBackOffice(app.origin, chief, 'office.otcOfferClose', { id: offer }),
    isRight: () => offered.waitFor({ state: 'detached' }),
  })
  await closedRight()
})
