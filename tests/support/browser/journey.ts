import type { FrameLocator, Locator, Page } from 'playwright'
import { expect } from 'vitest'
import { desktop, phone, type Visit, type VisitOptions } from '#tests/support/browser/browser.ts'
import { firstOf } from '#tests/support/house/sizes.ts'
import { type Person, profile } from '#tests/support/people/people.ts'
import { layCable } from '#tests/support/servers/proxy.ts'

/** Windows in which a journey is made: on a phone, and in the full tests on a desktop too. */
export const windows = firstOf([['on a phone', phone] as const, ['on a desktop', desktop] as const], 1)

export const node = (page: Page | FrameLocator, id: string): Locator => page.locator(`[data-node="${id}"]`)

/** Events while the page is cut off from the server. */
export interface Missed {
  meanwhile(): Promise<unknown>
  /** Waits for all that the page must say afterwards. */
  isRight(): Promise<unknown>
  /** A node that is of the past by then. */
  gone: string
}

export interface Journey extends Visit {
  origin: string
  /**
   * Cuts the page off while something happens, and expects it to be right by itself after the network is back; `bench:server` says how soon.
   * @returns expects, before the page is cut off again, that what was gone has not come back to it since, however short, and no toast twice
   */
  away(missed: Missed): Promise<() => Promise<void>>
  /**
   * Presses a button that asks, reads the prompt, confirms, and reads what is sent.
   * @throws Error for an answer with another problem than `expected`, or with one where none is
   */
  confirm(button: Locator, path: string, expected?: string): Promise<{ said: string; sent: Record<string, string> }>
}

/** The content that a page has shown since it was watched. */
interface Shown {
  toasts: string[]
  /** How often a node came that was not on the page before. One that is drawn anew in its place is no news. */
  came: number
}

/** Watches toasts, and a node that must not come back. @returns reads what was shown */
async function watchShown(page: Page, gone: string): Promise<() => Promise<Shown>> {
  await page.evaluate((selector) => {
    const shown: Shown = { toasts: [], came: 0 }
    const isThere = () => document.querySelector(selector) !== null
    let wasThere = isThere()
    const shared = window as unknown as { shown: Shown; watcher?: MutationObserver }
    shared.watcher?.disconnect()
    shared.shown = shown
    shared.watcher = new MutationObserver((changes) => {
      for (const element of changes.flatMap((change) => [...change.addedNodes])) {
        if (!(element instanceof HTMLElement)) continue
        for (const one of [element, ...element.querySelectorAll<HTMLElement>('.toast')]) {
          if (one.matches('.toast')) shown.toasts.push(one.innerText)
        }
      }
      if (!wasThere && isThere()) shown.came += 1
      wasThere = isThere()
    })
    shared.watcher.observe(document.body, { childList: true, subtree: true })
  }, `[data-node="${gone}"]`)
  return () => page.evaluate(() => (window as unknown as { shown: Shown }).shown)
}

/** Waits until a page says that it is cut off: the bar of every page, and each notice of its prices. */
async function saysDown(page: Page): Promise<void> {
  await page.locator('.offline', { hasText: /\S/ }).waitFor()
  await expect.poll(() => page.locator('[role=status][data-notice]:not([data-notice="down"])').count()).toBe(0)
}

/** Opens the product for a customer through a line that can be cut. */
export async function travel(
  visit: (options: VisitOptions) => Promise<Visit>,
  { target, who, ...options }: Omit<VisitOptions, 'origin'> & { target: string; who: Person },
): Promise<Journey & AsyncDisposable> {
  const cable = await layCable(target)
  const opened = await visit({ ...options, origin: cable.origin, storageState: profile(cable.origin, who.token) })
  const { page, context, allow } = opened
  // The page loads parts of other screens after the first paint; those under way when it is cut off fail, and the console says so.
  for (const pattern of [/ERR_/, /WebSocket/i, /Failed to load/i, /Failed to fetch/i, /chunk_load_failed/]) allow(pattern)
  return {
    ...opened,
    origin: cable.origin,
    async away({ meanwhile, isRight, gone }) {
      const shown = await watchShown(page, gone)
      cable.cut()
      await context.setOffline(true)
      await saysDown(page)
      await meanwhile()
      cable.mend()
      await context.setOffline(false)
      await isRight()
      return async () => {
        const { came, toasts } = await shown()
        expect(came, `${gone} came back`).toBe(0)
        expect(toasts).toEqual([...new Set(toasts)])
      }
    },
    async confirm(button, path, expected) {
      await button.click()
      const prompt = page.getByRole('alertdialog')
      await prompt.waitFor()
      const said = await prompt.innerText()
      const [request] = await Promise.all([
        page.waitForRequest((one) => new URL(one.url()).pathname === `/api${path}`),
        page.locator('.prompt-ok').click(),
      ])
      const answer = (await (await request.response())?.json()) as { name?: string } | undefined
      if (answer?.name !== expected) throw new Error(`${path}: ${answer?.name}`)
      return { said, sent: Object.fromEntries(new URLSearchParams(request.postData() ?? '')) }
    },
    [Symbol.asyncDispose]: () => cable.close(),
  }
}
