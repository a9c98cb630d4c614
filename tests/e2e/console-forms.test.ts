import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { desktop, phone, useBrowser } from '#tests/support/browser/browser.ts'
import { atDocument, openAt, workOn } from '#tests/support/people/console-work.ts'
import { useApp } from '#tests/support/servers/app.ts'

const app = useApp()
const { visit } = useBrowser()

const sizes = [
  ['desktop', desktop],
  ['phone', phone],
] as const
const nickname = 'schemas/forms/setting/nickname.json'
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const saved = (page: Page) => page.getByText('Saved', { exact: true }).first().waitFor()

test.for(sizes)('rows with two fields, a rule and at most three of them are made without JSON, %s', async ([size, viewport]) => {
  const { page, frame } = await atDocument(app.origin, visit, `rows ${size}`, nickname, viewport)
  const work = workOn(page)
  await page.getByRole('treeitem').nth(1).click()
  await work.press(button(page, 'Add'))
  await work.type(page.getByRole('dialog').getByRole('searchbox', { name: 'Search by name or use' }), 'rows')
  await work.key('Enter')
  await work.type(page.locator('[data-pointer="/fields/1/label"] input'), 'Beneficiaries')
  const cell = (i: number) => page.locator(`details[data-pointer="/fields/1/fields/${i}"]`)
  await work.type(cell(0).getByRole('textbox', { name: /^Label/ }), 'Full name')
  await work.press(cell(0).getByLabel('Customers must fill it in'))
  await work.press(button(page, 'Add a field to the rows'))
  await work.type(cell(1).getByRole('textbox', { name: /^Label/ }), 'Share')
  await work.choose(cell(1).getByLabel(/^Kind of answer/), { label: 'Number with decimals' })
  await work.press(cell(1).getByRole('button', { name: 'At most', exact: true }))
  await work.type(page.locator('[data-pointer="/fields/1/fields/1/max"] input'), '100')
  await work.press(button(page, 'At most').last())
  await work.type(page.locator('[data-pointer="/fields/1/max"] input'), '3')
  await saved(page)
  expect(work.count()).toBeLessThanOrEqual(13)
  // The preview offers rows, of which there may be three.
  await frame.getByText('Beneficiaries', { exact: true }).first().waitFor()
  await frame.getByText('0/3', { exact: true }).waitFor()
})

test.for(sizes)('a form is split into two pages, and a new field gets a page, without JSON, %s', async ([size, viewport]) => {
  const { page, frame } = await atDocument(app.origin, visit, `pages ${size}`, nickname, viewport)
  const work = workOn(page)
  await page.getByRole('treeitem').first().click()
  await work.press(page.getByText('Pages of the form', { exact: true }))
  await work.press(button(page, 'Add a page'))
  await work.type(page.locator('[data-pointer="/pages/0/title"] input'), 'Your name')
  await work.type(page.locator('[data-pointer="/pages/1/title"] input'), 'Your reason')
  await page.getByRole('treeitem').nth(1).click()
  await work.press(button(page, 'Add'))
  await work.type(page.getByRole('dialog').getByRole('searchbox', { name: 'Search by name or use' }), 'text field')
  await work.key('Enter')
  await work.type(page.locator('[data-pointer="/fields/1/label"] input'), 'Reason')
  await work.choose(page.locator('[data-pointer="/fields/1/page"] select'), { label: 'Your reason' })
  await saved(page)
  expect(work.count()).toBeLessThanOrEqual(9)
  await frame.getByText('Your name').first().waitFor()
  await expect.poll(() => frame.getByText('Reason', { exact: true }).count()).toBe(0)
})

test('a new field leaves no text behind, one missing translation is one problem, and the last tab stays', async () => {
  const { page, draft } = await atDocument(app.origin, visit, 'promises', nickname, desktop)
  await page.getByRole('treeitem').nth(1).click()
  await button(page, 'Add').click()
  const search = page.getByRole('dialog').getByRole('searchbox', { name: 'Search by name or use' })
  await search.fill('text field')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Text field/ })
    .waitFor()
  await search.press('Enter')
  await page.locator('[data-pointer="/fields/1/label"] input').fill('Reason')
  // The text of the label is missing in seven languages; that the value is not sent yet is another problem.
  await expect.poll(() => page.getByRole('button', { name: /^Errors: / }).innerText()).toMatch(/^Errors: 2,/)
  await page.getByRole('button', { name: /^Errors: / }).click()
  const panel = page.getByRole('region', { name: 'Problems of the draft' })
  await expect
    .poll(() => panel.getByRole('listitem').filter({ hasText: 'is not translated yet: zh, hk, th, ja, ko, fr, es' }).count())
    .toBe(1)
  await button(page, 'Undo').click()
  await button(page, 'Undo').click()
  await page.getByText('No problems').first().waitFor()
  expect(await page.getByText(/is not used anywhere/).count()).toBe(0)
  await openAt(page, `${draft}/document/schemas/quick-entries/tabs.json`)
  const hide = page.getByRole('button', { name: /^Hide: / })
  await hide.first().waitFor()
  for (let left = await hide.count(); left > 1; left -= 1) {
    await hide.first().click()
    await expect.poll(() => hide.count()).toBe(left - 1)
  }
  await hide.first().click()
  await page.getByText(/^This is the last entry that the tab bar shows/).waitFor()
  expect(await hide.count()).toBe(1)
})
