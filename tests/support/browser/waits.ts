import type { Page, Request } from 'playwright'
import app from '#schemas/app.json'
import { eventually } from '#tests/support/eventually.ts'

/** Requests under way of each page that is followed. */
const asked = new WeakMap<Page, Set<Request>>()

/** Follows the requests of a page, so that `settled` can wait for them. */
export function followRequests(page: Page): void {
  const open = new Set<Request>()
  asked.set(page, open)
  page.on('request', (request) => request.resourceType() === 'eventsource' || open.add(request))
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
}

/** Notes in the page when it was last pressed, for `throttlePassed`. */
export function notePresses(): void {
  const noted = () => Object.assign(window, { pressedAt: performance.now() })
  for (const type of ['click', 'keydown', 'submit']) addEventListener(type, noted, { capture: true })
}

/**
 * Waits until the page has done all that it had begun: every request has its answer, no animation runs, and two frames have been drawn since.
 * Timers that the app has set may be open; see `timePasses`.
 * @throws Error for a page that `followRequests` does not follow
 */
export async function settled(page: Page): Promise<void> {
  const open = asked.get(page)
  if (!open) throw new Error('nobody follows the requests of this page')
  do {
    await eventually(() => open.size).toBe(0)
    await page.evaluate(async () => {
      const running = () => document.getAnimations().filter((one) => one.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
      await Promise.allSettled(running().map(({ finished }) => finished))
      for (let frame = 0; frame < 2; frame++) await new Promise((drawn) => requestAnimationFrame(drawn))
    })
  } while (open.size > 0)
}

/** Waits until another press of the same button counts: one that follows sooner is taken as the second tap of a pair. */
export async function throttlePassed(page: Page, throttleMs: number = app.constants.clickThrottleMs): Promise<void> {
  await page.waitForFunction((ms) => performance.now() - ((window as { pressedAt?: number }).pressedAt ?? 0) > ms, throttleMs)
}

/**
 * Moves the clock of a page that was visited with `clock`: all timers of that time go off at once, and what they begin is waited for. It proves
 * that something does not happen later, without waiting for it.
 */
export async function timePasses(page: Page, ms: number): Promise<void> {
  await page.clock.runFor(ms)
  await settled(page)
}
