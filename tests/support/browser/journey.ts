import type { Locator, Page } from 'playwright'
import { desktop, phone, type Visit, type VisitOptions } from '#tests/support/browser/browser.ts'
import { firstOf } from '#tests/support/house/sizes.ts'
import { type Person, profile } from '#tests/support/people/people.ts'
import { layCable } from '#tests/support/servers/proxy.ts'

/** Windows in which a journey is made: on a phone, and in the full tests on a desktop too. */
export const windows = firstOf([['on a phone', phone] as const, ['on a desktop', desktop] as const], 1)

export const node = (page: Page, id: string): Locator => page.locator(`[data-node="${id}"]`)

/** Nodes and toasts that were added to the page since `begin`, however short they stood. */
export interface Appeared {
  begin(): Promise<void>
  toasts(): Promise<string[]>
  nodes(): Promise<string[]>
}

export interface Journey extends Visit {
  origin: string
  appeared: Appeared
  /** Cuts the page off from the server, and waits until it says so. */
  leave(): Promise<void>
  /** @returns how long it took from the moment the network was back until `isRight`, in milliseconds */
  comeBack(isRight: () => Promise<unknown>): Promise<number>
  /**
   * Presses a button that asks, reads the prompt, confirms, and reads what is sent.
   * @throws Error for an answer with another problem than `expected`, or with one where none is
   */
  confirm(button: Locator, path: string, expected?: string): Promise<{ said: string; sent: Record<string, string> }>
}

function appearedOn(page: Page): Appeared {
  const read = (kind: 'toasts' | 'nodes') =>
    page.evaluate((of) => (window as unknown as { appeared: Record<string, string[]> }).appeared[of] ?? [], kind)
  return {
    begin: () =>
      page.evaluate(() => {
        const appeared = { toasts: [] as string[], nodes: [] as string[] }
        const shared = window as unknown as { appeared: typeof appeared; watcher?: MutationObserver }
        shared.watcher?.disconnect()
        shared.appeared = appeared
        shared.watcher = new MutationObserver((changes) => {
          for (const added of changes.flatMap((change) => [...change.addedNodes])) {
            if (!(added instanceof HTMLElement)) continue
            for (const one of [added, ...added.querySelectorAll<HTMLElement>('.toast, [data-node]')]) {
              if (one.matches('.toast')) appeared.toasts.push(one.innerText)
              if (one.dataset.node) appeared.nodes.push(one.dataset.node)
            }
          }
        })
        shared.watcher.observe(document.body, { childList: true, subtree: true })
      }),
    toasts: () => read('toasts'),
    nodes: () => read('nodes'),
  }
}

/** Opens the product for a customer through a line that can be cut. */
export async function travel(
  visit: (options: VisitOptions) => Promise<Visit>,
  { target, who, ...options }: Omit<VisitOptions, 'origin'> & { target: string; who: Person },
): Promise<Journey & AsyncDisposable> {
  const cable = await layCable(target)
  const opened = await visit({ ...options, origin: cable.origin, storageState: profile(cable.origin, who.token) })
  const { page, context, allow } = opened
  for (const pattern of [/ERR_/, /WebSocket/i, /Failed to load/i, /Failed to fetch/i]) allow(pattern)
  return {
    ...opened,
    origin: cable.origin,
    appeared: appearedOn(page),
    async leave() {
      cable.cut()
      await context.setOffline(true)
      await page.locator('[data-notice="down"]').first().waitFor({ state: 'attached' })
    },
    async comeBack(isRight) {
      cable.mend()
      const since = performance.now()
      await context.setOffline(false)
      await isRight()
      return performance.now() - since
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
