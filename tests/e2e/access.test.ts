import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { findings } from '#tests/support/browser/axe.ts'
import { desktop, stands, useBrowser, type VisitOptions } from '#tests/support/browser/browser.ts'
import { pages } from '#tests/support/browser/pages.ts'
import { settled, throttlePassed } from '#tests/support/browser/waits.ts'
import { person, profile } from '#tests/support/people/people.ts'
import { useApp } from '#tests/support/servers/app.ts'

const app = useApp()
const { visit } = useBrowser()
const all = [...pages, { path: 'pages/nowhere', screen: 'not-found', auth: false }]
/** The pages for visitors, then, after a login, those for customers. */
const open = async (options: Omit<VisitOptions, 'origin'>, look: (page: Page, screen: string) => Promise<void>) => {
  for (const auth of [false, true]) {
    const who = auth ? await person(app.origin, { nickname: 'Ann' }) : undefined
    const { page, go } = await visit({ origin: app.origin, storageState: profile(app.origin, who?.token), ...options })
    for (const { path, screen } of all.filter((one) => one.auth === auth)) {
      await go(path, screen)
      await settled(page)
      await look(page, screen)
    }
  }
}

describe('axe finds nothing serious', () => {
  // Generated tests check the dark theme in English at normal size.
  test('on any screen, in the light theme, with swapped colours and long words', { tags: 'full' }, async () => {
    const keep = { theme: 'light', colours: 'swapped', language: 'fr' }
    const found: string[] = []
    await open({ keep: { ...keep, recent: ['BTCUSDT'], searches: ['gold'] } }, async (page, screen) => {
      found.push(...(await findings(page)).map((one) => `${screen}: ${one}`))
      const ahead = await page.locator('[tabindex]:not([tabindex="0"], [tabindex="-1"])').count()
      if (ahead > 0) found.push(`${screen}: ${ahead} stops out of order`)
    })
    expect(found).toEqual([])
  })

  test.for(['dark', 'light'])('on the wide trade screen, in sheets and prompts, %s', { tags: 'full' }, async (theme) => {
    const { page, go } = await visit({ origin: app.origin, viewport: desktop, keep: { theme } })
    const found: string[] = []
    const look = async (place: string) => found.push(...(await findings(page)).map((one) => `${place}: ${one}`))
    await go('pages/transaction/index', 'transaction.index')
    await page.locator('[data-node="tape"] tbody tr').first().waitFor()
    await settled(page)
    await look('trade')
    await page.locator('[data-node="depth-view"]').getByText('Depth chart').click()
    await page.locator('[data-node="depth"] svg').waitFor()
    await look('depth')
    await page.getByRole('button', { name: 'Switch market' }).click()
    await page.getByRole('dialog').locator('[data-key]').first().waitFor()
    await look('switch sheet')
    for (const row of ['language', 'fiat']) {
      await go('pages/setting/setting', 'setting.setting')
      await page.locator(`[data-node="${row}"]`).click()
      await page.getByRole('dialog').waitFor()
      await look(`${row} sheet`)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
    }
    await page.locator('[data-node="clear"]').click()
    await page.getByRole('alertdialog').waitFor()
    await look('prompt')
    expect(found).toEqual([])
  })
})

describe('the keyboard alone', () => {
  const focus = (page: Page) =>
    page.evaluate(() => {
      const element = document.activeElement as HTMLElement | null
      if (!element || element === document.body) return 'nothing'
      const place = element.closest('[data-key]')?.getAttribute('data-key')
      const node = element.closest('[data-node]')?.getAttribute('data-node')
      return `${node ?? element.className}${place ? ` ${place}` : ''}`
    })
  const tabsUntil = async (page: Page, wanted: RegExp, most = 80) => {
    const seen: string[] = []
    for (let i = 0; i < most; i++) {
      await page.keyboard.press('Tab')
      const now = await focus(page)
      seen.push(now)
      if (wanted.test(now)) return seen
    }
    throw new Error(`${wanted} is not reached: ${seen.join(', ')}`)
  }

  test('reaches everything on home in order', async () => {
    const { page } = await visit({ origin: app.origin, screen: 'home.home' })
    await page.locator('[data-node="news-row"]').first().waitFor()
    const seen = await tabsUntil(page, /^tabs/, 90)
    const order = [
      'to-search',
      'to-settings',
      'banner',
      'notices',
      'entries',
      'hot-cards',
      'groups',
      'hot-list',
      'news-types',
      'news-row',
      'tabs',
    ]
    const places = order.map((node) => seen.findIndex((one) => one.split(' ')[0] === node))
    expect(Object.fromEntries(order.map((node, i) => [node, (places[i] ?? -1) >= 0]))).toEqual(
      Object.fromEntries(order.map((node) => [node, true])),
    )
    expect(places).toEqual([...places].sort((a, b) => a - b))
  })

  test('the first stop skips to the content', async () => {
    const { page } = await visit({ origin: app.origin, path: 'pages/market/market', screen: 'market.market' })
    await page.keyboard.press('Tab')
    const link = page.getByRole('link', { name: 'Skip to content' })
    expect(await link.evaluate((one) => one === document.activeElement)).toBe(true)
    expect((await link.boundingBox())?.y ?? -1).toBeGreaterThanOrEqual(0)
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main')
    expect(page.url()).toContain('pages/market/market')
    await page.keyboard.press('Tab')
    expect(await focus(page)).toBe('to-search')
  })

  test('Enter opens a row, and its screen gets the focus', { tags: 'full' }, async () => {
    const { page } = await visit({ origin: app.origin, path: 'pages/market/market', screen: 'market.market' })
    await page.locator('[data-node="list"] [data-key="BTCUSDT"]').waitFor()
    await tabsUntil(page, /^list BTCUSDT/)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await stands(page, 'transaction.index')
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
  })

  test('Escape closes a sheet and restores the focus', async () => {
    const { page } = await visit({ origin: app.origin, path: 'pages/setting/setting', screen: 'setting.setting' })
    for (const [row, role] of [
      ['language', 'dialog'],
      ['fiat', 'dialog'],
      ['clear', 'alertdialog'],
    ] as const) {
      await page.locator(`[data-node="${row}"]`).focus()
      await page.keyboard.press('Enter')
      const layer = page.getByRole(role)
      await layer.waitFor()
      await expect.poll(() => layer.evaluate((one) => one.contains(document.activeElement))).toBe(true)
      for (let i = 0; i < 15; i++) await page.keyboard.press('Tab', { delay: 30 })
      await expect.poll(() => layer.evaluate((one) => one.contains(document.activeElement)), { message: row }).toBe(true)
      await page.keyboard.press('Escape')
      await layer.waitFor({ state: 'hidden' })
      await expect.poll(() => focus(page), { message: row }).toBe(row)
    }
  })

  test('a refused prompt has no effect, a confirmed one clears', { tags: 'full' }, async () => {
    const keep = { favourites: ['BTCUSDT'], recent: ['ETHUSDT'], searches: ['gold'] }
    const { page } = await visit({ origin: app.origin, path: 'pages/setting/setting', screen: 'setting.setting', keep })
    const kept = () => page.evaluate(() => ['favourites', 'recent', 'searches'].map((name) => localStorage.getItem(`tessera.${name}`)))
    await page.locator('[data-node="clear"]').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('alertdialog').waitFor({ state: 'hidden' })
    expect(await kept()).toEqual(['["BTCUSDT"]', '["ETHUSDT"]', '["gold"]'])
    await throttlePassed(page)
    await page.locator('[data-node="clear"]').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Clear' }).click()
    await page.getByText('Local data cleared').waitFor()
    expect(await kept()).toEqual(['[]', '[]', '[]'])
  })
})
