import { generateSync } from 'otplib'
import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { findings } from '#tests/support/browser/axe.ts'
import { desktop, phone, useBrowser } from '#tests/support/browser/browser.ts'
import { settled } from '#tests/support/browser/waits.ts'
import { atWork, type Operator, operator } from '#tests/support/people/operators.ts'
import { useOwnApp } from '#tests/support/servers/app.ts'

const app = useOwnApp()
const { visit } = useBrowser()

const at = async (who: Operator, path: string, more: { colorScheme?: 'dark' | 'light'; viewport?: typeof phone | typeof desktop } = {}) => {
  const made = await visit({ origin: app.origin, viewport: desktop, storageState: atWork(app.origin, who), ...more })
  await made.page.goto(`${app.origin}/console/#${path}`)
  await made.page.locator('h1').first().waitFor()
  return made
}
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
const dialog = (page: Page) => page.getByRole('dialog')
const code = ({ totpSecret }: Pick<Operator, 'totpSecret'>) => generateSync({ secret: totpSecret })
const refused = /Failed to load resource: the server responded with a status of 4\d\d/
/** Shortcuts of the app's home screen, in order. */
const shortcuts = (page: { locator: Page['locator'] }) => page.locator('[data-node="entries"] a').allInnerTexts()
async function newDraft(page: Page, name: string): Promise<string> {
  await button(page, 'New draft').first().click()
  await dialog(page).getByRole('textbox').first().fill(name)
  await page.keyboard.press('Enter')
  await page.waitForURL(/#\/draft\/\d+/)
  return /#(\/draft\/\d+)/.exec(page.url())?.[1] ?? ''
}
const open = (page: Page, path: string) =>
  page.evaluate((hash) => {
    location.hash = hash
  }, path)
const saved = (page: Page) => page.getByText('Saved', { exact: true }).first().waitFor()

test('the first operator uses the printed link once, and logs in with a second factor', async () => {
  const link = /http\S+\/console\/#\/setup\/\S+/.exec(app.output())?.[0]
  expect(link).toBeDefined()
  const { page, allow } = await visit({ origin: app.origin, viewport: desktop })
  allow(refused)
  await page.goto(link ?? '')
  const password = 'nine quiet otters rowing'
  await page.getByLabel('Name').fill('ann')
  await page.getByLabel('New password').fill(password)
  await page.getByLabel('Repeat password').fill(password)
  await button(page, 'Continue').click()
  const secret = page.getByText(/^(?:[A-Z2-7]{4} ?){8}$/)
  const totpSecret = ((await secret.textContent()) ?? '').replaceAll(' ', '')
  await page.getByRole('textbox', { name: 'Code' }).fill(code({ totpSecret }))
  await button(page, 'Confirm and log in').click()
  await page.getByRole('heading', { name: 'Hello, ann' }).waitFor()
  await button(page, 'Log out').click()
  await page.getByLabel('Name').fill('ann')
  await page.getByLabel('Password').fill(password)
  // A code is valid once; the next one is accepted slightly early.
  await page.getByRole('textbox', { name: 'Code' }).fill(generateSync({ secret: totpSecret, epoch: Math.floor(Date.now() / 1_000) + 30 }))
  await button(page, 'Log in').click()
  await page.getByRole('heading', { name: 'Hello, ann' }).waitFor()
  await button(page, 'Log out').click()
  await page.goto('about:blank')
  await page.goto(link ?? '')
  await expect.poll(() => page.locator('main, body').first().innerText()).toMatch(/used|no longer/i)
})

describe('from a change to all devices, and back', () => {
  test('order and label of a shortcut are changed, reviewed, approved by another operator, published and rolled back', async () => {
    const [ann, ben] = [await operator(app.origin, 'eva', ['editor']), await operator(app.origin, 'ben', ['approver', 'publisher'])]
    const customer = await visit({ origin: app.origin, screen: 'home.home' })
    const french = await visit({ origin: app.origin, screen: 'home.home', keep: { language: 'fr' } })
    await expect.poll(() => shortcuts(customer.page)).toContain('Gold')
    const before = await shortcuts(customer.page)

    const { page } = await at(ann, '/drafts')
    const draft = await newDraft(page, 'Gold comes first')
    await open(page, `${draft}/document/schemas/quick-entries/home.json`)
    await page.locator('[data-entry="gold"]').focus()
    await page.locator('[data-entry="gold"]').waitFor()
    const above = await page.locator('[data-entry]').evaluateAll((all) => all.findIndex((one) => one.getAttribute('data-entry') === 'gold'))
    expect(above).toBeGreaterThan(0)
    for (let i = 0; i < above; i++) await page.keyboard.press('Alt+ArrowUp')
    await expect.poll(() => page.locator('[data-entry]').first().getAttribute('data-entry')).toBe('gold')
    await page.keyboard.press('Enter')
    const card = page.locator('li', { has: page.locator('[data-entry="gold"]') })
    await card.getByRole('textbox', { name: /^Label/ }).fill('Pure gold')
    await button(page, 'All 8 languages').click()
    await card.getByRole('textbox', { name: 'fr', exact: true }).fill('Or pur')
    const frame = page.frameLocator('iframe').first()
    await expect.poll(() => frame.locator('[data-node="entries"] a').first().innerText()).toBe('Pure gold')
    await saved(page)
    expect(await shortcuts(customer.page)).toEqual(before)
    // On a tablet the preview stands below and can be read; each button of the list says which entry it is for.
    await page.setViewportSize({ width: 820, height: 1_000 })
    await expect.poll(async () => (await page.locator('iframe').first().boundingBox())?.width ?? 0).toBeGreaterThan(300)
    const names = await page.locator('li:has([data-entry]) button[aria-label]').evaluateAll((all) => all.map((one) => one.ariaLabel))
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
    expect(await page.locator('main').count()).toBe(1)
    await page.setViewportSize(desktop)

    await open(page, `${draft}/review`)
    await button(page, 'Submit for review').click()
    await dialog(page).getByRole('textbox', { name: 'Note for the reviewer' }).fill('Gold week begins on Monday')
    await dialog(page).getByRole('button', { name: 'Submit' }).click()
    await page.getByText('Submitted. Somebody else can approve it now.').waitFor()
    await page.getByText('Approve Only an approver can do this.').waitFor()
    expect(await button(page, 'Approve').isEnabled()).toBe(false)

    const second = await at(ben, `${draft}/review`)
    await second.page.getByText('Gold week begins on Monday').waitFor()
    await button(second.page, 'Approve').click()
    await dialog(second.page).getByRole('textbox', { name: /Flows/ }).fill('A label and an order; looked at by eye')
    await dialog(second.page).getByRole('button', { name: 'Approve' }).click()
    // Undo in the author's tab asks before it voids the approval.
    await page.getByText('Approved by ben. Any change takes the approval back.').waitFor()
    await button(page, 'Undo').click()
    await dialog(page).getByText('Void the approval by ben?').waitFor()
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    await button(second.page, 'Publish').click()
    await dialog(second.page).getByRole('textbox', { name: 'Reason' }).fill('Gold week')
    await button(second.page, 'Publish now').click()
    await expect.poll(() => shortcuts(customer.page)).toEqual(['Pure gold', ...before.filter((one) => one !== 'Gold')])
    await expect.poll(async () => (await shortcuts(french.page))[0]).toBe('Or pur')

    await open(second.page, '/release/1')
    await button(second.page, 'Roll back to this').click()
    await dialog(second.page).getByRole('textbox', { name: 'Reason' }).fill('The week is over')
    await dialog(second.page).getByRole('button', { name: 'Roll back' }).click()
    await expect.poll(() => shortcuts(customer.page)).toEqual(before)
    await open(second.page, '/audit')
    await expect
      .poll(() => second.page.frameLocator('iframe').locator('tbody tr').allInnerTexts().then(String))
      .toMatch(/Rolled back[\s\S]*Published/)
  })

  test('a page is created without JSON, and customers reach it by a new shortcut', { tags: 'full' }, async () => {
    const [uma, ben] = [await operator(app.origin, 'uma', ['editor']), await operator(app.origin, 'bea', ['approver', 'publisher'])]
    const { page } = await at(uma, '/drafts')
    const draft = await newDraft(page, 'A page of its own')
    // The editor has been open before, so it shows the new page sooner than the page is prepared for the preview.
    await open(page, `${draft}/document/schemas/screens/common/faq.json`)
    await page.frameLocator('iframe').first().locator('[data-screen="common.faq"]').waitFor()
    await open(page, `${draft}/documents`)
    await button(page, 'New document').first().click()
    await dialog(page).getByRole('textbox', { name: 'Id' }).fill('market.rising')
    await dialog(page).getByRole('textbox', { name: 'Title in English' }).fill('Rising')
    await dialog(page).getByRole('textbox', { name: 'Address' }).fill('pages/market/rising')
    await button(page, 'Create').click()

    await button(page, 'Add data').click()
    await page.getByRole('combobox', { name: /^Call/ }).fill('market.quotation')
    await page.keyboard.press('Enter')
    const tree = page.getByRole('tree')
    await tree.getByText('intro').click()
    await button(page, 'Add').first().click()
    await page.keyboard.type('quote-list')
    await page.keyboard.press('Enter')
    await tree.getByText('New quote list').waitFor()
    await page.getByRole('combobox', { name: 'How Rows is given' }).selectOption('expression')
    await page.locator('[id$="_props_rows"]').fill('data.source.list')
    await page.keyboard.press('Tab')
    await page.locator('[id$="_props_label"]').fill('Rising instruments')
    await tree.getByText('intro').click()
    await page.keyboard.press('Delete')
    const frame = page.frameLocator('iframe').first()
    await expect.poll(() => frame.locator('[data-node="quote-list"]').innerText()).toContain('Bitcoin')

    await open(page, `${draft}/document/schemas/quick-entries/home.json`)
    await button(page, 'Add an entry').click()
    await page.locator('[id^="value_entries_"][id$="_label"]').fill('Risers')
    await page.locator('[id^="value_entries_"][id$="_to"]').fill('pages/market/rising')
    await page.locator('[id^="value_entries_"][id$="_id"]').fill('rising')
    await page.keyboard.press('Tab')
    await page.locator('[data-entry="rising"]').focus()
    // The home page shows only the first shortcuts.
    for (let above = await page.locator('[data-entry]').count(); above > 1; above -= 1) await page.keyboard.press('Alt+ArrowUp')
    await expect.poll(() => page.locator('[data-entry]').first().getAttribute('data-entry')).toBe('rising')

    await open(page, `${draft}/texts`)
    await page.locator('select', { has: page.locator('option[value="missing"]') }).selectOption('missing')
    const missing = page.getByRole('table', { name: 'Texts' }).getByRole('button', { name: /: missing$/ })
    await missing.first().waitFor()
    for (let left = await missing.count(); left > 0; left = await missing.count()) {
      await missing.first().click()
      await page.keyboard.type('Rising')
      await page.keyboard.press('Enter')
      await expect.poll(() => missing.count()).toBeLessThan(left)
    }
    await saved(page)

    await open(page, `${draft}/review`)
    await button(page, 'Submit for review').click()
    await dialog(page).getByRole('textbox', { name: 'Note for the reviewer' }).fill('A page with what rises')
    await dialog(page).getByRole('button', { name: 'Submit' }).click()
    const second = await at(ben, `${draft}/review`)
    await button(second.page, 'Approve').click()
    await dialog(second.page).getByRole('textbox', { name: /Flows/ }).fill('Looked at by eye')
    await dialog(second.page).getByRole('button', { name: 'Approve' }).click()
    await button(second.page, 'Publish').click()
    await dialog(second.page).getByRole('textbox', { name: 'Reason' }).fill('Rising')
    await button(second.page, 'Publish now').click()
    const customer = await visit({ origin: app.origin, screen: 'home.home' })
    await expect.poll(() => shortcuts(customer.page)).toContain('Risers')
    await customer.page.locator('[data-node="entries"] a', { hasText: 'Risers' }).click()
    await customer.page.locator('[data-screen="market.rising"] [data-node="quote-list"]').waitFor()
    expect(customer.page.url()).toContain('#/pages/market/rising')
  })

  test('two operators on one file lose nothing, and a draft with errors cannot be submitted', { tags: 'full' }, async () => {
    const [ida, joe] = [await operator(app.origin, 'ida', ['editor']), await operator(app.origin, 'joe', ['editor'])]
    const one = await at(ida, '/drafts')
    const draft = await newDraft(one.page, 'Two at work')
    const entries = `${draft}/document/schemas/quick-entries/home.json`
    await open(one.page, entries)
    const two = await at(joe, entries)
    // A save that comes second is refused and applied again on top of the first one.
    for (const made of [one, two]) made.allow(refused)
    // The preview reports to the console of the browser what it cannot draw, also while the name is typed.
    one.allow(/no widget s/)
    const order = (page: Page) => page.locator('[data-entry]').evaluateAll((all) => all.map((each) => each.getAttribute('data-entry')))
    for (const { page } of [one, two]) await page.locator('[data-entry="gold"]').waitFor()
    await one.page.getByTitle('joe is in this file, too').waitFor()
    await two.page.getByTitle('ida is in this file, too').waitFor()
    const place = (await order(one.page)).indexOf('gold')
    await one.page.locator('[data-entry="gold"]').focus()
    await one.page.keyboard.press('Alt+ArrowUp')
    const card = two.page.locator('li', { has: two.page.locator('[data-entry="faq"]') })
    await card.getByRole('button', { name: 'Hide' }).click()
    await expect.poll(async () => (await order(two.page)).indexOf('gold')).toBe(place - 1)
    await expect.poll(() => one.page.locator('li', { has: one.page.locator('[data-entry="faq"]') }).innerText()).toContain('Hidden')

    await open(one.page, `${draft}/document/schemas/screens/common/faq.json`)
    await two.page.getByTitle('ida is in screens/common/faq.json').waitFor()
    await button(one.page, 'JSON').click()
    const json = one.page.locator('.cm-content').first()
    await json.click()
    await one.page.keyboard.press('Control+f')
    // The field reads its content when a key is released.
    await one.page.locator('.cm-search input').first().pressSequentially('"search"')
    await one.page.keyboard.press('Enter')
    await one.page.keyboard.press('Escape')
    await one.page.keyboard.type('"serach"')
    expect(await json.innerText()).toContain('"widget": "serach"')
    await one.page
      .getByText(/1 problem/)
      .first()
      .waitFor()
    await open(one.page, `${draft}/review`)
    await one.page.getByText('serach').first().waitFor()
    await expect.poll(() => button(one.page, 'Submit for review').isEnabled()).toBe(false)
    await one.page.getByText('The checks found errors.').waitFor()
    await open(one.page, '/drafts')
    await two.page.getByTitle(/^ida /).waitFor({ state: 'detached' })
  })
})

test('the preview shows a page for customers as a customer, with the edited sheet open', { tags: 'full' }, async () => {
  const { page } = await at(await operator(app.origin, 'pia', ['editor']), '/drafts')
  const draft = await newDraft(page, 'A sheet')
  await open(page, `${draft}/document/schemas/screens/setting/userInfo.json`)
  const frame = page.frameLocator('iframe').first()
  await frame.locator('[data-screen="setting.userInfo"]').waitFor()
  expect(await frame.getByRole('dialog').count()).toBe(0)
  const tree = page.getByRole('tree')
  await tree.getByText('nickname-sheet').click()
  await frame.getByRole('dialog').getByRole('textbox').waitFor()
  await tree.getByRole('treeitem').first().click()
  await frame.getByRole('dialog').waitFor({ state: 'detached' })
  // Its form is shown in the sheet too.
  await open(page, `${draft}/document/schemas/forms/setting/nickname.json?at=/fields/0`)
  await frame.getByRole('dialog').getByRole('textbox').waitFor()
})

describe('pages of the console', () => {
  const places = ['/', '/drafts', '/releases', '/release/1', '/account']
  test.for([
    ['dark', desktop],
    ['light', phone],
  ] as const)('have no serious finding and fit their window, %s', { tags: 'full' }, async ([colorScheme, viewport]) => {
    const who = await operator(app.origin, `max ${colorScheme}`, ['viewer', 'editor', 'approver', 'publisher', 'administrator'])
    const { page } = await at(who, '/drafts', { colorScheme, viewport })
    const draft = await newDraft(page, `Looked at in ${colorScheme}`)
    const inDraft = [
      'documents',
      'document/schemas/quick-entries/home.json',
      'document/schemas/screens/setting/setting.json',
      'texts',
      'theme',
      'review',
    ]
    const found: string[] = []
    for (const path of [...places, ...inDraft.map((name) => `${draft}/${name}`)]) {
      await open(page, path)
      await page.locator('h1').first().waitFor()
      await settled(page)
      // The content of the preview is the app, which has tests of its own.
      found.push(...(await findings(page, 'iframe')).map((one) => `${path}: ${one}`))
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
      if (wide > 1) found.push(`${path}: ${wide} px too wide`)
    }
    expect(found).toEqual([])
  })
})
