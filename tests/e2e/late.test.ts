import type { Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CallName, contract } from '#contract/contract.ts'
import { useBrowser } from '#tests/support/browser/browser.ts'
import { expectToast } from '#tests/support/browser/messages.ts'
import { settled } from '#tests/support/browser/waits.ts'
import { copy, document, type Part } from '#tests/support/meddle.ts'
import { person, profile } from '#tests/support/people/people.ts'
import { useApp } from '#tests/support/servers/app.ts'

/** Late events: an answer after leaving its screen, data of earlier arguments, a release while a screen is open. */
const app = useApp()
const { visit } = useBrowser()
const node = (page: Page, id: string) => page.locator(`[data-node="${id}"]`)
const dialogs = (page: Page) => page.locator('[role=alertdialog]')

const buttons: Record<string, Part[]> = {
  go: [{ call: 'common.contactus' }, { go: 'pages/common/aboutus' }, { toast: 'Answered' }],
  back: [{ call: 'common.contactus' }, { back: true }, { toast: 'Answered' }],
  confirm: [{ call: 'common.contactus' }, { toast: 'Answered' }, { confirm: 'clear-data' }],
}
/** The page of questions with buttons for the steps above, and a count of how often it was entered. */
function faq(title: unknown): Part {
  const doc = copy(document('screens/common/faq')) as Part & { body: [{ slots: { head: Part[]; body: Part[] } }]; state: Part }
  const { head, body } = doc.body[0].slots
  ;(head[0]?.props as Part).title = title
  const pressed = Object.entries(buttons).map(([id, steps]) => ({ id, widget: 'button', props: { label: id }, on: { press: steps } }))
  const entered = { id: 'entered', widget: 'text', props: { text: { $: { cat: ['entered ', { var: 'state.entered' }] } } } }
  body.unshift(entered, ...pressed)
  doc.state.entered = 0
  return { ...doc, enter: [{ set: { 'state.entered': { $: { '+': [{ var: 'state.entered' }, 1] } } } }] }
}
const place = { path: 'pages/common/faq', screen: 'common.faq' }
beforeAll(() => app.force({ 'screen/common.faq': faq('Questions') }))
afterAll(() => app.restore())

/** Holds back every answer of a call from now on, until the held call is released. */
async function hold(page: Page, call: CallName): Promise<{ asked: Promise<void>; come: () => void }> {
  let heard = () => {}
  let come = () => {}
  const asked = new Promise<void>((done) => void (heard = done))
  const free = new Promise<void>((done) => void (come = done))
  await page.route(
    (url) => url.pathname === `/api${contract[call].path}`,
    async (route) => {
      heard()
      await free
      await route.continue().catch(() => {})
    },
  )
  return { asked, come: () => come() }
}

test.each(Object.keys(buttons))('a late %s leaves the customer where they have gone', async (step) => {
  const { page, go } = await visit({ origin: app.origin, ...place })
  const answer = await hold(page, 'common.contactus')
  await node(page, step).click()
  await answer.asked
  await go('pages/market/market', 'market.market')
  answer.come()
  await expectToast(page, 'Answered')
  await settled(page)
  expect(new URL(page.url()).hash).toBe('#/pages/market/market')
  expect(await dialogs(page).count()).toBe(0)
})

test('coins of another account are marked and inactive until those of the chosen account arrive', async () => {
  const ann = await person(app.origin, { level: '1' })
  const credit = new URLSearchParams({ user: String(ann.uid), currency: 'BTC', amount: '2' })
  await fetch(`${app.origin}/test/credit`, { method: 'POST', body: credit, headers: { Authorization: '' } })
  const at = { path: 'pages/fund/assets', screen: 'fund.assets', storageState: profile(app.origin, ann.token) }
  const { page } = await visit({ origin: app.origin, ...at })
  const coin = node(page, 'coin').filter({ hasText: 'BTC' })
  await coin.waitFor()
  const answer = await hold(page, 'wallet.getAsset')
  await node(page, 'account').locator('label').filter({ hasText: 'Fiat' }).click()
  await answer.asked
  await page.locator('[data-node="coins"][data-stale]').waitFor()
  expect(await coin.count()).toBe(1)
  await coin.click()
  await expectToast(page, 'Still loading')
  expect(new URL(page.url()).hash).toBe('#/pages/fund/assets')
  answer.come()
  await page.locator('[data-node="coins"]:not([data-stale])').waitFor()
})

test('a release while a screen is open does not enter it again', async () => {
  const { page, go } = await visit({ origin: app.origin, ...place })
  await node(page, 'entered').filter({ hasText: 'entered 1' }).waitFor()
  await app.force({ 'screen/common.faq': faq('Other questions') })
  await page.locator('h1').filter({ hasText: 'Other questions' }).waitFor()
  await settled(page)
  expect(await node(page, 'entered').textContent()).toBe('entered 1')
  // Another visit of the same screen begins with its own values and enters.
  await node(page, 'entered').evaluate((one) => one.setAttribute('data-before', ''))
  await go('pages/common/faq?again=1', 'common.faq')
  await page.locator('[data-node=entered]:not([data-before])').filter({ hasText: 'entered 1' }).waitFor()
})
