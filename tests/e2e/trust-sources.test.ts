import type { Page, Route } from 'playwright'
import { afterEach, describe, expect, test } from 'vitest'
import { stands, useBrowser } from '#tests/support/browser/browser.ts'
import { firstOf } from '#tests/support/house/sizes.ts'
import { copy, document, type Part } from '#tests/support/meddle.ts'
import { useApp } from '#tests/support/servers/app.ts'
import { shownEntries } from '#widgets/quick-entries/fold.rules.ts'

const app = useApp()
const { visit } = useBrowser()
afterEach(() => app.restore())

const config = '**/config/**'
const faults: [string, (route: Route) => Promise<void>][] = [
  ['is down', (route) => route.abort()],
  ['answers 500', (route) => route.fulfill({ status: 500, body: 'oh' })],
  ['takes 10 s', (route) => new Promise((done) => setTimeout(() => route.continue().then(done, done), 10_000))],
  [
    'answers half',
    (route) => route.fulfill({ contentType: 'application/json', body: '{"release":7,"hash":"0123456789abcdef","locale":"en","docu' }),
  ],
  ['answers another kind', (route) => route.fulfill({ contentType: 'image/png', body: Buffer.from([137, 80, 78, 71]) })],
  ['answers a page', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Sign in</title>' })],
  [
    'answers JSON of its own',
    (route) => route.fulfill({ json: { release: 1, hash: 'x', locale: 'en', documents: [], texts: {}, inline: {} } }),
  ],
]

/** Three entries in place of those of the files, so that a page shows which set it has. */
const marked = () => {
  const doc = copy(document('quick-entries/home')) as { entries: Part[] }
  doc.entries = doc.entries.slice(0, 3)
  return doc
}
/** As many of the files' entries as a phone shows before “more”. */
const ownEntries = shownEntries((document('quick-entries/home').entries as unknown[]).length, 5, false)
const entries = (page: Page) => page.locator('[data-node="entries"] a').count()
/** The record that the page keeps, changed by `how`. */
const kept = (page: Page, how: 'read' | 'text' | 'half' | 'bodies' | 'documents') =>
  page.evaluate(async (change) => {
    const answer = <T>(request: IDBRequest<T>) =>
      new Promise<T>((yes, no) => {
        request.onsuccess = () => yes(request.result)
        request.onerror = () => no(request.error)
      })
    if (!(await indexedDB.databases()).some(({ name }) => name === 'tessera')) return undefined
    const database = await answer(indexedDB.open('tessera'))
    const sets = database.transaction('sets', 'readwrite').objectStore('sets')
    const record = await answer(sets.get('last'))
    const changed = {
      read: record,
      text: 'garbage',
      half: { manifest: record?.manifest },
      bodies: { ...record, bodies: Object.fromEntries(Object.keys(record?.bodies ?? {}).map((sha) => [sha, '{"kind":"screen"'])) },
      documents: { ...record, manifest: { ...record?.manifest, documents: { 'app/app': null } } },
    }[change]
    if (change !== 'read') await answer(sets.put(changed, 'last'))
    database.close()
    return record as { manifest: { release: number; hash: string }; bodies: object } | undefined
  }, how)
/** A page that has shown the marked release and kept it. */
async function warm() {
  await app.force({ 'quick-entries/home': marked() })
  const visited = await visit({ serviceWorkers: 'block', origin: app.origin, screen: 'home.home' })
  visited.allow(/Failed to load resource|MIME type|ERR_FAILED|EventSource/)
  const shown = await (await fetch(`${app.origin}/config/manifest`)).json()
  await expect.poll(async () => (await kept(visited.page, 'read'))?.manifest.hash).toBe((shown as Part).hash)
  return visited
}
async function expectWhole(page: Page, wanted: number) {
  await stands(page, 'home.home')
  expect(await entries(page)).toBe(wanted)
  expect(await page.locator('[data-screen="broken"], .broken').count()).toBe(0)
}

describe('a config server that', () => {
  test.for(firstOf(faults, 1))('%s: a first start has what the build carries', async ([, fault]) => {
    const { page, go, allow } = await visit({ serviceWorkers: 'block', origin: app.origin, locale: 'fr-CA' })
    allow(/Failed to load resource|MIME type|ERR_FAILED|EventSource/)
    await page.route(config, fault)
    await page.goto(`${app.origin}/`)
    await expectWhole(page, ownEntries)
    expect(await page.locator('html').getAttribute('lang')).toBe('fr')
    await go('pages/setting/setting', 'setting.setting')
    await page.locator('[data-node="language"]').waitFor()
    await go('pages/market/market', 'market.market')
  })

  test('fails in every way: a later start has what was last good, and the news comes by itself', { tags: 'full' }, async () => {
    const { page, go } = await warm()
    for (const [, fault] of faults) {
      await page.route(config, fault)
      await page.goto('about:blank')
      await page.goto(`${app.origin}/`)
      await expectWhole(page, 3)
      await page.unroute(config)
    }
    await go('pages/setting/setting', 'setting.setting')
    await app.restore()
    await go('', 'home.home')
    await expect.poll(() => entries(page)).toBeGreaterThan(3)
  })
})

describe('the copy on this device', () => {
  test('is worth nothing when it is damaged, and hurts nothing', { tags: 'full' }, async () => {
    const { page } = await warm()
    for (const damage of ['text', 'half', 'bodies', 'documents'] as const) {
      await kept(page, damage)
      await page.route(config, (route) => route.abort())
      await page.reload()
      await expectWhole(page, ownEntries)
      await page.unroute(config)
    }
  })

  test('cannot be written: the app starts, works, and tells of a setting that is lost', { tags: 'full' }, async () => {
    const { page, context, go } = await visit({ serviceWorkers: 'block', origin: app.origin })
    await context.addInitScript(() => {
      const full = () => {
        throw new DOMException('full', 'QuotaExceededError')
      }
      Storage.prototype.setItem = full
      IDBFactory.prototype.open = full as never
    })
    await go('', 'home.home')
    await page.getByRole('alertdialog').waitFor()
    expect(await page.getByRole('alertdialog').innerText()).toMatch(/storage/i)
    await page.getByRole('alertdialog').getByRole('button').click()
    await go('pages/setting/setting', 'setting.setting')
  })
})
