import { createReadStream, existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import react from '@vitejs/plugin-react'
import type { Page } from 'playwright'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { useBrowser } from '#tests/support/browser/browser.ts'
import { settled } from '#tests/support/browser/waits.ts'
import { projectRoot } from '#tests/support/servers/product.ts'
import manifest from '#widgets/manifest.json'

/** The gallery is no part of the product, so it is built here, into a folder that goes with the test. */
const kinds: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' }
let folder = ''
let server: Server
let origin = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tessera-gallery-'))
  // The test runner's own mode would mix React's two builds.
  const { NODE_ENV } = process.env
  process.env.NODE_ENV = 'production'
  await build({
    root: projectRoot,
    configFile: false,
    logLevel: 'error',
    plugins: [react()],
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: 'es2022',
      minify: false,
      rolldownOptions: { input: join(projectRoot, 'gallery.html') },
    },
  })
  process.env.NODE_ENV = NODE_ENV
  server = createServer((req, res) => {
    const path = new URL(req.url ?? '/', 'http://x').pathname
    const file = join(folder, path === '/gallery' ? 'gallery.html' : path)
    if (!file.startsWith(folder) || !existsSync(file)) return void res.writeHead(404).end()
    res.writeHead(200, { 'Content-Type': kinds[extname(file)] ?? 'application/octet-stream' })
    createReadStream(file).pipe(res)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await new Promise((closed) => server?.close(closed))
  await rm(folder, { recursive: true, force: true })
})

const { visit } = useBrowser()
const types = manifest.widgets.map(({ type }) => type)
const small = { width: 360, height: 740 }

async function open(options: { search?: string; viewport?: typeof small } = {}) {
  const { search = '', ...more } = options
  const { page, allow } = await visit({ origin, ...more })
  // Two examples show what must not be fetched or embedded; the browser says so.
  allow(/Failed to load resource/)
  await page.goto(`${origin}/gallery${search}#/`)
  await page.locator('.g-cards').waitFor()
  await page.waitForLoadState('networkidle')
  const turn = async (type: string) => {
    await page.evaluate((hash) => {
      location.hash = hash
    }, `#/${type}`)
    await page.locator('h1', { hasText: new RegExp(`^${type}$`) }).waitFor()
    // The feed's first answers, and sources that fail.
    await settled(page)
  }
  return { page, turn }
}

async function findings(page: Page): Promise<string[]> {
  // In one window: opening another to sum up takes longer than looking.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes.slice(0, 3).map((node) => `${node.target.join(' ')} ${node.any[0]?.message ?? ''}`)} of ${nodes.length}`,
    )
}

/** Returns the elements that overflow the page sideways, by the frame that they belong to. */
const overflow = (page: Page) =>
  page.evaluate(() => {
    const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth
    return wide <= 0 ? [] : [`${wide} px too wide`]
  })

/** Frames whose content is cut off at their side. Scrollers inside of a frame keep their own. */
const cutOff = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.g-case .frame')]
      .filter((frame) => frame.scrollWidth > frame.clientWidth + 1)
      .map((frame) => `${frame.closest<HTMLElement>('[data-case]')?.dataset.case}: ${frame.scrollWidth - frame.clientWidth} px cut off`),
  )

describe('every widget in every state', () => {
  // Two windows at once: this is the longest part of the file.
  test('has no serious finding and breaks nowhere, in either theme', { tags: 'full' }, async () => {
    const look = async (some: readonly string[]) => {
      const { page, turn } = await open({ search: '?theme=both' })
      const found: string[] = []
      for (const type of some) {
        await turn(type)
        found.push(...(await findings(page)).map((one) => `${type}: ${one}`))
        const broken = await page.locator('[data-broken]').count()
        if (broken > 0) found.push(`${type}: ${broken} nodes broken`)
        const frames = await page.locator('.g-case .frame[data-mode=light]').count()
        if (frames === 0) found.push(`${type}: no frame`)
      }
      return found
    }
    const half = Math.ceil(types.length / 2)
    expect((await Promise.all([look(types.slice(0, half)), look(types.slice(half))])).flat()).toEqual([])
  })

  test.for(['dark', 'light'])('has no serious finding on the index and around the frames, %s', { tags: 'full' }, async (theme) => {
    const { page, turn } = await open({ search: `?theme=${theme}` })
    const found = await findings(page)
    await turn('list')
    await page.locator('summary').first().click()
    found.push(...(await findings(page)))
    await turn('functions')
    found.push(...(await findings(page)))
    expect(found).toEqual([])
  })

  test('functions stand there with their examples, and can be tried', async () => {
    const { page, turn } = await open({ viewport: small })
    await page.getByRole('link', { name: 'Functions' }).click()
    await turn('functions')
    const fee = page.locator('section', {
      has: page.getByRole('heading', { name: /^wallet\.withdrawFee\(amount, fee, fee_rate, scale\)$/ }),
    })
    await fee.getByRole('cell', { name: '1.25', exact: true }).first().waitFor()
    await fee.getByRole('textbox', { name: 'wallet.withdrawFee: amount' }).fill('1000')
    await expect.poll(() => fee.getByRole('status').innerText()).toBe('2')
    await fee.getByRole('textbox', { name: 'wallet.withdrawFee: amount' }).fill('1e3')
    await expect.poll(() => fee.getByRole('status').innerText()).toBe('cannot be computed')
    expect(await overflow(page)).toEqual([])
  })

  test('stays in its frame at 360 px and twice the text, as written and in long words', { tags: 'full' }, async () => {
    const look = async (wording: string) => {
      const { page, turn } = await open({ search: `?text=200&words=${wording}&width=360`, viewport: small })
      const found = await overflow(page)
      for (const type of types) {
        await turn(type)
        found.push(...[...(await overflow(page)), ...(await cutOff(page))].map((one) => `${wording} ${type}: ${one}`))
      }
      return found
    }
    expect((await Promise.all([look('written'), look('long')])).flat()).toEqual([])
  })

  test('shows Chinese characters where it is asked to', { tags: 'full' }, async () => {
    const { page, turn } = await open({ search: '?words=cjk&lang=zh' })
    await turn('button')
    expect(await page.locator('[data-case="button-0"] button').textContent()).toMatch(/[\u4e00-\u9fff]/)
    expect(await findings(page)).toEqual([])
  })
})

describe('the gallery', () => {
  test('is found through, walked and switched by keyboard', { tags: 'full' }, async () => {
    const { page } = await open()
    const names = () => page.locator('.g-card > h2').allTextContents()
    expect((await names()).length).toBe(types.length)
    await page.getByLabel('Find a widget').focus()
    await page.keyboard.type('order-b')
    expect(await names()).toEqual(['order-book'])
    // The page of functions comes first.
    for (const reached of ['functions', 'order-book']) {
      await page.keyboard.press('Tab')
      expect(await page.evaluate(() => document.activeElement?.textContent?.toLowerCase())).toContain(reached)
    }
    await page.keyboard.press('Enter')
    await page.locator('h1', { hasText: 'order-book' }).waitFor()
    await page.getByLabel('Theme').selectOption('both')
    expect(page.url()).toContain('?theme=both#/order-book')
    const grounds = await page
      .locator('[data-case="order-book-0"] .frame')
      .evaluateAll((frames) => frames.map((frame) => getComputedStyle(frame).backgroundColor))
    expect(new Set(grounds).size).toBe(2)
    await page.getByLabel('Language').selectOption('ja')
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('ja')
    await page.reload()
    await page.locator('h1', { hasText: 'order-book' }).waitFor()
    expect(await page.getByLabel('Language').inputValue()).toBe('ja')
  })

  test('says so when nothing is found or there is no such widget', { tags: 'full' }, async () => {
    const { page } = await open()
    await page.getByLabel('Find a widget').fill('no such thing')
    await page.getByText('No widget has this name').waitFor()
    await page.getByRole('button', { name: 'Show all' }).click()
    expect(await page.locator('.g-card').count()).toBe(types.length)
    await page.goto(`${origin}/gallery#/nowhere`)
    await page.getByText('This build has no such widget.').waitFor()
  })

  test('shows each state by the engine, not by a picture of it', { tags: 'full' }, async () => {
    const { page, turn } = await open()
    await turn('button')
    const button = (state: string) => page.locator(`[data-state="${state}"] button[data-node="button"]`)
    expect(await button('disabled').isDisabled()).toBe(true)
    expect(await button('busy').getAttribute('aria-disabled')).toBe('true')
    expect(await button('ready').first().isEnabled()).toBe(true)
    await turn('accordion')
    await page.locator('[data-state="error"]').getByRole('button', { name: 'Try again' }).waitFor()
    await turn('list')
    await page.locator('[data-state="stale"] .stale-mark').waitFor()
    expect(await page.locator('[data-state="stale"] [data-node="one"]').count()).toBe(1)
    expect(await page.locator('[data-state="loading"] [data-node="one"]').count()).toBe(0)
  })

  test('gives the JSON of an example', { tags: 'full' }, async () => {
    const { page, turn } = await open()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await turn('badge')
    const first = page.locator('[data-case="badge-0"]')
    await first.locator('summary').click()
    await first.getByRole('button', { name: 'Copy JSON' }).click()
    await page.getByText('Copied').waitFor()
    const node = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()))
    expect(node).toMatchObject({ id: 'badge', widget: 'badge' })
    expect(await page.getByRole('table').textContent()).toContain('required')
  })
})
