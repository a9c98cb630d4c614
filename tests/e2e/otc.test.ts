import type { FrameLocator, Page } from 'playwright'
import { expect, test } from 'vitest'
import { aidsOf } from '#tests/support/browser/aids.ts'
import { desktop, phone, useBrowser } from '#tests/support/browser/browser.ts'
import { atDesk, atWork, operator } from '#tests/support/people/operators.ts'
import { person, profile } from '#tests/support/people/people.ts'
import { useOwnApp } from '#tests/support/servers/app.ts'

/** OTC end to end: an offer of the house, an order from it, and the review. */

const app = useOwnApp({ FEED: 'manual' })
const { visit } = useBrowser()
const { aid } = aidsOf(app)

const node = (page: Page | FrameLocator, id: string) => page.locator(`[data-node="${id}"]`)
const deskStands = (desk: FrameLocator, screen: string) => desk.locator(`[data-screen="desk.${screen}"]`).waitFor()
async function office(name: string, roles: ('reviewer' | 'administrator')[], path: string) {
  const who = await operator(app.origin, name, roles)
  const { page } = await visit({ origin: app.origin, viewport: desktop, storageState: atWork(app.origin, who) })
  await page.goto(`${app.origin}/console/#/desk${path}`)
  return { who, page, desk: page.frameLocator('iframe') }
}

test('an administrator proposes an offer, a second agrees, a customer orders, and a reviewer settles', async () => {
  const { desk, page: boss } = await office('rita', ['administrator'], '/offer_new')
  await deskStands(desk, 'offer_new')
  for (const [field, value] of Object.entries({ price: '50000.5', amount_min: '0.01', amount_max: '1', whole: '5' }))
    await desk.locator(`[name=${field}]`).fill(value)
  await desk.getByRole('button', { name: 'Propose' }).click()
  const proposal = desk.getByRole('alertdialog')
  await proposal.waitFor()
  for (const words of ['The house sells', '5 BTC', '50,000.5 USDT']) expect(await proposal.innerText()).toContain(words)
  await desk.locator('.prompt-ok').click()
  await deskStands(desk, 'offer')
  await node(desk, 'facts').filter({ hasText: 'Proposed' }).waitFor()
  await node(desk, 'withdraw').waitFor()
  expect(await node(desk, 'agree').count()).toBe(0)

  const chief = await operator(app.origin, 'chief', ['administrator'])
  const { list } = await atDesk<{ list: { id: number }[] }>(app.origin, chief, 'desk.otcOffers', { status: 'proposed' })
  await atDesk(app.origin, chief, 'desk.otcOfferAgree', { id: String(list[0]!.id) })

  const ann = await person(app.origin, { nickname: 'Ann' })
  await aid('credit', { user: String(ann.uid), currency: 'USDT', amount: '20000' })
  const { page } = await visit({
    ...{ origin: app.origin, viewport: phone, colorScheme: 'dark', path: 'pages/transaction/otc', screen: 'transaction.otc' },
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
  await page.getByText('Order sent for review').waitFor()
  await node(page, 'to-orders').click()
  await node(page, 'order').filter({ hasText: 'Under review' }).waitFor()

  const review = await office('olga', ['reviewer'], '/otc')
  await deskStands(review.desk, 'otc')
  await review.desk.locator('tbody tr').filter({ hasText: 'Ann' }).click()
  await deskStands(review.desk, 'otc_order')
  await node(review.desk, 'facts').filter({ hasText: '16,666.83316667 USDT' }).waitFor()
  await node(review.desk, 'approve').click()
  await review.desk.locator('.prompt-ok').click()
  await review.desk.getByText('The order is settled').waitFor()

  await node(page, 'order').filter({ hasText: 'Settled' }).waitFor()
  await boss.reload()
  await node(desk, 'facts').filter({ hasText: '4.66666667 BTC' }).waitFor()
})
