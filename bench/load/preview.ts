import type { Browser, Page } from 'playwright'
import { atMost, type Bar, median, spread } from '#bench/bars.ts'

const edits = 12
const page = 'schemas/screens/home/home.json'
/** Value of the edited field: time for which an answer of the home screen counts as fresh. */
const first = '300000'

async function draftOf(origin: string): Promise<{ draft: number; cookie: string }> {
  const made = await fetch(`${origin}/test/operator`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'bench' }),
  })
  const { cookie } = (await made.json()) as { cookie: string }
  const answer = await fetch(`${origin}/console/api/drafts`, {
    method: 'POST',
    headers: { cookie, origin, 'x-console': '1', 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'bench' }),
  })
  if (!answer.ok) throw new Error(`no draft: ${answer.status} ${await answer.text()}`)
  const { data } = (await answer.json()) as { data: { id: number } }
  return { draft: data.id, cookie }
}

/** Waits for the preview of the last edit. @returns ms from the edit to its preview, as reported by the pane */
async function pictureOf(at: Page, work: () => Promise<void>): Promise<number> {
  const pane = at.locator('[data-preview-ready]')
  const before = await pane.getAttribute('data-preview-pictures')
  await work()
  await at.waitForFunction((old) => document.querySelector('[data-preview-ready]')?.getAttribute('data-preview-pictures') !== old, before)
  return Number(await pane.getAttribute('data-preview-ms'))
}

/** The console with an open draft: from an edit to the live preview. */
export async function preview(browser: Browser, origin: string): Promise<Bar[]> {
  const { draft, cookie } = await draftOf(origin)
  const [name = '', value = ''] = cookie.split('=')
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 }, locale: 'en', serviceWorkers: 'block' })
  context.setDefaultTimeout(30_000)
  await context.addInitScript('globalThis.__name ??= (named) => named')
  try {
    await context.addCookies([{ name, value, domain: new URL(origin).hostname, path: '/console' }])
    const at = await context.newPage()
    await at.goto(`${origin}/console/#/draft/${draft}/document/${page}`)
    await at.locator('[data-preview-ready]').waitFor()
    const place = await at
      .locator('input')
      .evaluateAll((all, text) => all.findIndex((one) => (one as HTMLInputElement).value === text), first)
    if (place < 0) throw new Error(`no field holds ${first}`)
    const field = at.locator('input').nth(place)
    const quiet = () => at.locator('[data-preview-ready]:not([data-checking])').waitFor()
    const single: number[] = []
    for (let i = 0; i < edits; i++) {
      await quiet()
      const ms = await pictureOf(at, async () => {
        await field.fill(`${Number(first) + 1 + i}`)
        await field.blur()
      })
      // The first run also warms up the checks.
      if (i > 0) single.push(ms)
    }
    return [atMost('console: edit to picture', median(single), 300, ' ms', spread(single))]
  } finally {
    await context.close()
  }
}
