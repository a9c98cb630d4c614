import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useBrowser } from '#tests/support/browser/browser.ts'
import { layEmptyDatabase } from '#tests/support/databases/empty-database.ts'
import { type Product, projectRoot, startProduct } from '#tests/support/servers/product.ts'

/** The app of examples/lending-library, on the engine and config server of the product. */

const folder = join(projectRoot, 'examples/lending-library')
const pages = join(projectRoot, 'dist/examples/lending-library/dist/app')
/** Lines of documents, code and configuration. */
const linesMax = 350
/** Scripts before the first paint; three quarters are libraries of the engine. */
const gzipMax = 178_000

const chromium = useBrowser()
let data: string
let app: Product

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'tessera-example-'))
  layEmptyDatabase(data)
  app = await startProduct({ DATA_DIR: data }, 240_000, 'scripts/example.mjs')
})
afterAll(async () => {
  await app?.stop()
  await rm(data, { recursive: true, force: true })
})

test('a neighbour finds a book, borrows it and gives it back', { tags: 'full' }, async () => {
  const { page } = await chromium.visit({ origin: app.origin, screen: 'books' })
  const books = page.locator('[data-node="book"]')
  await expect.poll(() => books.count()).toBe(10)
  await page.getByRole('searchbox').fill('melville')
  await expect.poll(() => books.count()).toBe(1)
  await books.click()

  await page.waitForSelector('[data-screen="book"]')
  await page.getByLabel('Your name').fill('Ada')
  await page.getByRole('button', { name: 'Borrow it' }).click()
  await page.getByText(/^You have it until /).waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'Borrowed' }).click()
  await page.waitForSelector('[data-screen="borrowed"]')
  await expect.poll(() => books.allInnerTexts()).toEqual([expect.stringContaining('Moby-Dick')])

  const other = await chromium.visit({ origin: app.origin, path: 'book?id=8', screen: 'book' })
  await other.page.getByText(/^Ada has it until /).waitFor()
  expect(await other.page.getByRole('button', { name: 'Give it back' }).count()).toBe(0)
  expect(await other.page.getByRole('button', { name: 'Borrow it' }).count()).toBe(0)

  await books.click()
  await page.getByRole('button', { name: 'Give it back' }).click()
  await page.getByRole('button', { name: 'Borrow it' }).waitFor()
  await page.goBack()
  await page.getByText('You have no book now').waitFor()
})

test('of two customers who borrow at once one gets the book, and retrying has no effect', { tags: 'full' }, async () => {
  const send = async (call: string, fields: Record<string, string>) =>
    (await (await fetch(`${app.origin}/api/library/${call}`, { method: 'POST', body: new URLSearchParams(fields) })).json()) as {
      code: number
      name?: string
      data: { due: number } | null
    }
  const lend = (name: string) => send('lend', { id: '3', name, weeks: '2' })
  const answers = await Promise.all([lend('Ada'), lend('Ben')])
  expect(answers.filter(({ code }) => code === 1)).toHaveLength(1)
  expect(answers.filter(({ name }) => name === 'state_wrong')).toHaveLength(1)
  const [winner, loser] = answers[0].code === 1 ? ['Ada', 'Ben'] : ['Ben', 'Ada']
  expect((await lend(winner)).data).toEqual(answers.find(({ code }) => code === 1)?.data)
  expect((await send('giveBack', { id: '3', name: loser })).name).toBe('state_wrong')
  expect((await send('giveBack', { id: '3', name: winner })).code).toBe(1)
  expect((await send('lend', { id: '99', name: 'Ada', weeks: '2' })).name).toBe('not_found')
})

test('no code of trading is loaded, and the first paint needs few scripts', { tags: 'full' }, async () => {
  const scripts: string[] = []
  const { page } = await chromium.visit({ origin: app.origin })
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (pathname.endsWith('.js')) scripts.push(pathname)
  })
  const sockets: string[] = []
  page.on('websocket', (socket) => void sockets.push(socket.url()))
  await page.addInitScript(() => {
    const watch = new MutationObserver(() => {
      if (!document.querySelector('[data-node="book"]')) return
      watch.disconnect()
      performance.mark('shown')
    })
    watch.observe(document, { childList: true, subtree: true })
  })
  await page.goto(`${app.origin}/`)
  await page.waitForSelector('[data-node="book"]')
  // Requests that follow the first display of the books may begin before this test looks.
  const first = await page.evaluate(() => {
    const shownAt = performance.getEntriesByName('shown')[0]!.startTime
    const asked = performance.getEntriesByType('resource').filter((one) => one.startTime < shownAt)
    return [...new Set(asked.map(({ name }) => new URL(name).pathname).filter((path) => path.endsWith('.js')))]
  })
  const gzip = first.reduce((sum, path) => sum + gzipSync(readFileSync(join(pages, path)), { level: 9 }).length, 0)
  expect(first.length).toBeGreaterThan(1)
  expect(gzip, first.join(', ')).toBeLessThanOrEqual(gzipMax)
  await page.locator('[data-node="book"]').first().click()
  await page.getByRole('button', { name: 'Borrow it' }).waitFor()
  const all = scripts.map((path) => path.replace(/^\/assets\/(.*)-[\w-]{8}\.js$/, '$1'))
  // contract/money.ts parses the decimals of number fields and functions in every app, so its chunk is no code of trading.
  expect(all.filter((name) => /feed-page|market|quote|candle|depth|trade|wallet|ledger|balance/i.test(name))).toEqual([])
  expect(sockets).toEqual([])
})

test('the build has no code of markets, wallet or ledger, and the app is short', { tags: 'full' }, () => {
  const built = readdirSync(join(pages, 'assets')).filter((name) => name.endsWith('.js'))
  const code = built.map((name) => readFileSync(join(pages, 'assets', name), 'utf8')).join('\n')
  expect(code).toContain('library.due')
  for (const call of ['market.quotation', 'wallet.withdraw', 'user.info']) expect(code).not.toContain(call)

  // Schemas for editors are generated, and a line in each document names one.
  const own = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() && /^\.(?:ts|tsx|css|json|html)$/.test(extname(entry.name)) && !/\b(?:locales|meta)\b/.test(entry.parentPath),
    )
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8').trimEnd().split('\n'))
    .map((lines) => lines.filter((line) => !line.includes('"$schema"')).length)
  expect(own.length).toBeGreaterThan(10)
  expect(own.reduce((sum, lines) => sum + lines, 0)).toBeLessThanOrEqual(linesMax)
})
