import type { FrameLocator, Page } from 'playwright'
import { expect } from 'vitest'

/** Runs in each page from its start and records its messages, because a toast may disappear before a slow test looks for it. */
export const watchMessages = () => {
  const seen: string[] = []
  Object.assign(window, { messages: seen })
  const known = new WeakSet<Element>()
  const look = () => {
    for (const one of window.document.querySelectorAll<HTMLElement>('.toast, [id$="-problem"], [role=alertdialog]')) {
      if (known.has(one)) continue
      known.add(one)
      const title = one.querySelector('.prompt-title')?.textContent
      seen.push(title ? `asks ${title}` : one.matches('.toast') ? `${one.dataset.tone} ${one.textContent}` : `wrong ${one.textContent}`)
    }
  }
  new MutationObserver(look).observe(window.document, { childList: true, subtree: true })
}

/** Messages since the page was opened, or since `forgetTold`: tones and texts of toasts, problems of fields, titles of prompts. */
export const messages = (page: Page) => page.evaluate(() => (window as unknown as { messages: string[] }).messages)

/** Clears the recorded messages. */
export const forgetMessages = (page: Page) => page.evaluate(() => void (window as unknown as { messages: string[] }).messages.splice(0))

const seenOf = async (page: Page) => (await messages(page)).filter((one) => one !== 'success Uploaded')
/** Success is reported once, after so many prompts, and nothing is called wrong. A toast may be gone before it is looked for. */
export async function expectSuccess(page: Page, prompts: number): Promise<void> {
  await expect.poll(() => seenOf(page)).toContainEqual(expect.stringMatching(/^success /))
  const seen = await seenOf(page)
  const asks = seen.filter((one) => one.startsWith('asks '))
  expect(asks, asks.join()).toHaveLength(prompts)
  expect(seen.filter((one) => !one.startsWith('asks '))).toEqual([expect.stringMatching(/^success /)])
}

/** Waits until a toast has said this since the last time that it was asked for, even if it has disappeared since. */
export async function expectToast(where: Page | FrameLocator, text: string): Promise<void> {
  const take = (_body: unknown, wanted: string) => {
    const { messages } = window as unknown as { messages: string[] }
    const at = messages.findIndex((one) => !/^(?:asks|wrong) /.test(one) && one.includes(wanted))
    return at >= 0 && messages.splice(at, 1).length === 1
  }
  await expect.poll(() => where.locator('body').evaluate(take, text), { message: `a toast says ${text}` }).toBe(true)
}
