import type { FrameLocator, Locator, Page } from 'playwright'
import { desktop, type phone, type useBrowser } from '#tests/support/browser/browser.ts'
import { atWork, operator } from '#tests/support/people/operators.ts'

/** An operator at work in the console, whose presses and entries are counted. */
export interface Work {
  page: Page
  /** Presses and entries so far. */
  count(): number
  press(place: Locator): Promise<void>
  choose(place: Locator, option: string | { label: string }): Promise<void>
  type(place: Locator, text: string): Promise<void>
  key(name: string): Promise<void>
}

/** @param page a page of the console, in which no JSON is shown */
export function workOn(page: Page): Work {
  let count = 0
  const one = async (work: Promise<unknown>) => {
    count += 1
    await work
    if ((await page.locator('[data-json], .cm-content').count()) > 0) throw new Error(`JSON is shown after ${count} presses`)
  }
  return {
    page,
    count: () => count,
    press: (place) => one(place.click()),
    choose: (place, option) => one(place.selectOption(option)),
    type: (place, text) => one(place.fill(text)),
    key: (name) => one(page.keyboard.press(name)),
  }
}

interface AtDocument {
  page: Page
  /** The preview. */
  frame: FrameLocator
  /** Address of the draft: `/draft/1`. */
  draft: string
}

/** The console of a new editor with a new draft that is open at a document, and the preview of it. */
export async function atDocument(
  origin: string,
  visit: ReturnType<typeof useBrowser>['visit'],
  name: string,
  path: string,
  viewport: typeof desktop | typeof phone = desktop,
): Promise<AtDocument> {
  const who = await operator(origin, name, ['editor'])
  const { page } = await visit({ origin, viewport, storageState: atWork(origin, who) })
  await page.goto(`${origin}/console/#/drafts`)
  await page.getByRole('button', { name: 'New draft' }).first().click()
  await page.getByRole('dialog').getByRole('textbox').first().fill(name)
  await page.keyboard.press('Enter')
  await page.waitForURL(/#\/draft\/\d+/)
  const draft = /#(\/draft\/\d+)/.exec(page.url())?.[1] ?? ''
  await openAt(page, `${draft}/document/${path}`)
  return { page, frame: page.frameLocator('iframe').first(), draft }
}

/** Opens a page of the console without loading it again. */
export const openAt = (page: Page, path: string): Promise<void> =>
  page.evaluate((hash) => {
    location.hash = hash
  }, path)
