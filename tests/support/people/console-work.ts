import type { Locator, Page } from 'playwright'

/** An operator at work in the console, whose presses and entries are counted. */
export interface Work {
  page: Page
  /** Presses and entries so far. */
  count(): number
  press(place: Locator): Promise<void>
  choose(place: Locator, option: string): Promise<void>
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
