import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { desktop, phone, useBrowser } from '#tests/support/browser/browser.ts'
import { workOn } from '#tests/support/people/console-work.ts'
import { atWork, operator } from '#tests/support/people/operators.ts'
import { useApp } from '#tests/support/servers/app.ts'

const app = useApp()
const { visit } = useBrowser()

/** The console of a new editor with a draft that is open at a document, and the preview of it. */
async function atDocument(name: string, path: string, viewport: typeof desktop | typeof phone = desktop) {
  const who = await operator(app.origin, name, ['editor'])
  const { page } = await visit({ origin: app.origin, viewport, storageState: atWork(app.origin, who) })
  await page.goto(`${app.origin}/console/#/drafts`)
  await page.getByRole('button', { name: 'New draft' }).first().click()
  await page.getByRole('dialog').getByRole('textbox').first().fill(name)
  await page.keyboard.press('Enter')
  await page.waitForURL(/#\/draft\/\d+/)
  const draft = /#(\/draft\/\d+)/.exec(page.url())?.[1] ?? ''
  await page.evaluate((hash) => {
    location.hash = hash
  }, `${draft}/document/${path}`)
  return { page, frame: page.frameLocator('iframe').first(), draft }
}
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const picker = (page: Page, number: number) => page.getByRole('combobox', { name: `Condition ${number}: about` })
const saved = (page: Page) => page.getByText('Saved', { exact: true }).first().waitFor()

test.for([
  ['desktop', desktop],
  ['phone', phone],
] as const)(
  'a field is required under a condition, has options, a start and a rule with its message, without JSON, %s',
  async ([size, viewport]) => {
    const { page, frame } = await atDocument(`field ${size}`, 'schemas/forms/setting/nickname.json', viewport)
    const work = workOn(page)
    await page.getByRole('treeitem').nth(1).click()
    await work.press(button(page, 'Add'))
    await work.type(page.getByRole('dialog').getByRole('textbox', { name: 'Search by name or use' }), 'select field')
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
    await work.type(page.getByRole('textbox', { name: /^Search rules/ }), 'letters')
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
