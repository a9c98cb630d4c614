import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { desktop, phone, useBrowser } from '#tests/support/browser/browser.ts'
import { atDocument, openAt, workOn } from '#tests/support/people/console-work.ts'
import { useApp } from '#tests/support/servers/app.ts'

const app = useApp()
const { visit } = useBrowser()

const at = (name: string, path: string, viewport?: typeof desktop | typeof phone) => atDocument(app.origin, visit, name, path, viewport)
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const picker = (page: Page, number: number) => page.getByRole('combobox', { name: `Condition ${number}: about` })
const saved = (page: Page) => page.getByText('Saved', { exact: true }).first().waitFor()

test.for([
  ['desktop', desktop],
  ['phone', phone],
] as const)(
  'a field is required under a condition, has options, a start and a rule with its message, without JSON, %s',
  async ([size, viewport]) => {
    const { page, frame } = await at(`field ${size}`, 'schemas/forms/setting/nickname.json', viewport)
    const work = workOn(page)
    await page.getByRole('treeitem').nth(1).click()
    await work.press(button(page, 'Add'))
    await work.type(page.getByRole('dialog').getByRole('searchbox', { name: 'Search by name or use' }), 'select field')
    await work.key('Enter')
    await work.type(page.getByRole('textbox', { name: /^Label/ }), 'Reason')
    for (const [number, [value, label]] of [
      ['old', 'The old one is wrong'],
      ['other', 'Another reason'],
    ].entries()) {
      await work.press(button(page, 'Add an item'))
      await work.type(page.locator(`[data-pointer$="/options/${number}/id"] input`), value!)
      await work.type(page.locator(`[data-pointer$="/options/${number}/label"] input`).first(), label!)
    }
    await work.press(button(page, 'Begins with'))
    await work.choose(page.locator('[data-pointer$="/default"] select').last(), 'other')
    await work.press(page.getByLabel('Customers must fill it in'))
    await work.press(page.getByLabel('Only when …'))
    await work.press(picker(page, 1))
    await page.keyboard.type('verified')
    // While the condition is begun, the preview shows the last sound state.
    await frame.getByText('Reason').first().waitFor()
    await work.key('Enter')
    await work.press(button(page, 'Add a rule'))
    await work.type(page.getByRole('searchbox', { name: /^Search rules/ }), 'letters')
    await work.key('Enter')
    await page.getByLabel('Type an answer').fill('old')
    await page.locator('[data-verdict="right"]').waitFor()
    await page.getByLabel('Type an answer').fill('never')
    await page.locator('[data-verdict="wrong"]', { hasText: 'Choose an option' }).waitFor()
    await saved(page)
    expect(work.count()).toBeLessThanOrEqual(22)
    await expect.poll(() => frame.getByText('Another reason').count()).toBeGreaterThan(0)
  },
)

test.for([
  ['desktop', desktop],
  ['phone', phone],
] as const)('an entry is for verified customers alone after five presses, %s', async ([size, viewport]) => {
  const { page, frame } = await at(`guard ${size}`, 'schemas/quick-entries/home.json', viewport)
  const work = workOn(page)
  const gold = frame.locator('[data-node="entries"] a', { hasText: 'Gold' })
  await gold.waitFor()
  await page.locator('[data-entry="gold"]').click()
  const card = page.locator('li', { has: page.locator('[data-entry="gold"]') })
  await work.press(card.getByRole('button', { name: 'Shown when' }))
  await work.press(picker(page, 1))
  // The entry stays as it is while its condition is begun.
  expect(await gold.count()).toBe(1)
  await page.keyboard.type('verified')
  await work.key('Enter')
  await gold.waitFor({ state: 'detached' })
  await page.getByRole('combobox', { name: 'Seen by' }).selectOption({ label: 'Verified' })
  await gold.waitFor()
  expect(work.count()).toBeLessThanOrEqual(5)
})

test('a segment is named once, and a condition uses it; the formula stands behind a switch', async () => {
  const { page, draft } = await at('segment', 'schemas/app.json')
  const work = workOn(page)
  await work.press(button(page, 'Add a segment'))
  const segment = page.locator('[data-pointer="/segments/segment/test"]')
  await work.press(segment.getByRole('combobox', { name: 'Condition 1: about' }))
  await page.keyboard.type('language')
  await work.key('Enter')
  await work.choose(segment.getByRole('combobox', { name: 'Condition 1: value' }), 'ja')
  await work.type(page.locator('[data-pointer="/segments/segment/label"] input'), 'Readers of Japanese')
  await saved(page)
  await openAt(page, `${draft}/document/schemas/screens/fund/assets.json`)
  await page.getByRole('tree').getByText('total', { exact: true }).click()
  await work.press(picker(page, 1))
  await page.keyboard.type('japanese')
  await work.key('Enter')
  await work.press(button(page, 'Show as a formula'))
  await expect.poll(() => page.getByRole('textbox', { name: 'Shown when' }).inputValue()).toBe('segment.segment')
  await page.getByRole('textbox', { name: 'Shown when' }).fill('len(session.language) > 1')
  await page.getByText('Rows cannot show this condition, so it stays a formula.').waitFor()
  await saved(page)
})

test.for([
  ['desktop', desktop],
  ['phone', phone],
] as const)(
  'a list screen with its address and an entry for verified customers is made from nothing, without a problem, %s',
  async ([size, viewport]) => {
    const { page, frame, draft } = await at(`list ${size}`, 'schemas/quick-entries/home.json', viewport)
    const work = workOn(page)
    await openAt(page, `${draft}/documents`)
    await work.press(button(page, 'New list screen'))
    const dialog = page.getByRole('dialog')
    await work.type(dialog.getByRole('searchbox', { name: /^Search/ }), 'transfers')
    await work.key('Enter')
    await work.press(dialog.getByLabel('From', { exact: true }))
    for (const [language, words] of Object.entries({
      en: 'Moves',
      zh: '划转记录',
      hk: '劃轉記錄',
      th: 'การโอนย้าย',
      ja: '振替の履歴',
      ko: '이체 내역',
      fr: 'Mouvements',
      es: 'Movimientos',
    }))
      await work.type(dialog.getByLabel(language, { exact: true }), words)
    await work.choose(dialog.getByLabel('Open to'), 'verified')
    await work.choose(dialog.getByLabel('Entry that leads to it'), 'schemas/quick-entries/home.json')
    await work.press(button(page, 'Make the screen'))
    await page.getByRole('heading', { name: 'Moves', exact: true }).waitFor()
    await page.getByRole('tree').getByText('Row').first().waitFor()
    await saved(page)
    await page.getByText('No problems').first().waitFor()
    expect(work.count()).toBeLessThanOrEqual(16)
    // The preview opens the new page as a customer who may see it.
    await frame.locator('[data-screen="wallet.moves"] [data-node="list"]').waitFor()
  },
)
