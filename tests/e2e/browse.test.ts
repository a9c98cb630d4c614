import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { desktop, stands, useBrowser } from '#tests/support/browser/browser.ts'
import { settled } from '#tests/support/browser/waits.ts'
import { firstOf } from '#tests/support/house/sizes.ts'
import { logIn, person, profile } from '#tests/support/people/people.ts'
import { useApp } from '#tests/support/servers/app.ts'
import { projectRoot } from '#tests/support/servers/product.ts'

const read = <T>(path: string) => JSON.parse(readFileSync(join(projectRoot, 'schemas', path), 'utf8')) as T
const { routes } = read<{ routes: Record<string, { screen: string; tab?: string; auth?: boolean; aliases?: string[] }> }>('routes.json')
const { entries } = read<{ entries: { id: string; to: string; params?: Record<string, string> }[] }>('quick-entries/home.json')
const { entries: tabs } = read<{ entries: { id: string; to: string }[] }>('quick-entries/tabs.json')
const screenOf = (path: string) => routes[path]?.screen ?? 'no such route'
/** Parameters of screens that require them. */
const queries: Record<string, string> = {
  'pages/fund/assets_record': '?currency_id=3',
  'pages/fund/receive': '?currency_id=3',
  'pages/fund/withdraw': '?currency_id=3',
  'pages/common/article': '?nid=1',
  'pages/common/webView': `?url=${encodeURIComponent('https://tessera.example/')}`,
  'pages/follow/trader': '?id=1',
  'pages/follow/follow': '?id=1',
  'pages/transaction/position': '?id=1',
}

const app = useApp()
const { visit } = useBrowser()
const home = () => visit({ origin: app.origin, screen: 'home.home' })

describe('home', () => {
  test('shows banner, notice, entries, quotes and news', async () => {
    const { page } = await home()
    for (const node of ['banner', 'notices', 'entries', 'hot-cards', 'hot-list', 'news-row']) {
      await page.locator(`[data-node="${node}"]`).first().waitFor()
    }
    expect(await page.locator('[data-broken]').count()).toBe(0)
    expect(await page.title()).toBe('Tessera')
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).overscrollBehaviorY)).toBe('none')
    await expect.poll(() => page.locator('[data-node="hot-list"] [data-key]').count()).toBeGreaterThan(3)
    await page
      .locator('[data-node="simulated"]')
      .filter({ hasText: /simulated/i })
      .waitFor({ state: 'attached' })
  })

  const entryPoints: [name: string, selector: string, screen: string][] = [
    ['a banner', '[data-node="banner"]', 'market.market'],
    ['the notice', '[data-node="notices"] button', 'common.article'],
    ['a news row', '[data-node="news-row"]', 'common.article'],
    ['the search button', '[data-node="to-search"]', 'market.search'],
    ['the settings button', '[data-node="to-settings"]', 'setting.setting'],
    ['more markets', '[data-node="hot"] button:has-text("All markets")', 'market.market'],
  ]
  test.for(firstOf(entryPoints, 1))('%s leads to its screen and back', async ([, selector, screen]) => {
    const { page } = await home()
    await page.locator(selector).first().click()
    await page.waitForSelector('[data-screen]:not([data-screen="home.home"]):not([data-screen="loading"])')
    const there = await page.locator('[data-screen]').getAttribute('data-screen')
    expect(there).toBe(screen)
    await page.goBack()
    await stands(page, 'home.home')
  })

  test('leaving an article restores the position in the list', { tags: 'full' }, async () => {
    const { page } = await home()
    const row = page.locator('[data-node="news-row"]').nth(2)
    const title = (await row.locator('span').nth(1).innerText()).split('\n')[0] ?? ''
    await row.scrollIntoViewIfNeeded()
    await page.evaluate(() => scrollBy(0, 120))
    await settled(page)
    const before = await page.evaluate(() => scrollY)
    expect(before).toBeGreaterThan(200)
    await row.click()
    await stands(page, 'common.article')
    expect(await page.evaluate(() => scrollY)).toBe(0)
    await page.locator('[data-node="title"]').filter({ hasText: title }).waitFor()
    await expect.poll(async () => (await page.locator('[data-node="content"]').innerText()).length).toBeGreaterThan(40)
    await page.getByRole('button', { name: 'Back' }).click()
    await stands(page, 'home.home')
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(before - 60)
    expect(await page.evaluate(() => scrollY)).toBeLessThan(before + 60)
  })

  test('every entry leads to a screen', { tags: 'full' }, async () => {
    const { page } = await home()
    const fold = page.locator('[data-node="entries"] button[aria-expanded="false"]')
    // Pages for customers ask a visitor to log in.
    const opens = (entry: { to: string }) => (routes[entry.to]?.auth ? 'common.login' : screenOf(entry.to))
    const found: string[] = []
    for (const [index, entry] of entries.entries()) {
      if ((await fold.count()) > 0) await fold.click()
      await page.locator('[data-node="entries"] a').nth(index).click()
      await stands(page, opens(entry)).catch(() => undefined)
      const values = routes[entry.to]?.auth || Object.values(entry.params ?? {}).every((value) => page.url().includes(String(value)))
      const broken = await page.locator('[data-broken]').count()
      found.push(`${entry.id}: ${await page.locator('[data-screen]').getAttribute('data-screen')} ${values} ${broken}`)
      await page.goBack()
      await stands(page, 'home.home')
    }
    expect(found).toEqual(entries.map((entry) => `${entry.id}: ${opens(entry)} true 0`))
  })

  test('a quote opens the trade screen of its symbol', async () => {
    const { page } = await home()
    for (const symbol of ['ETHUSDT', 'XAUUSDT']) {
      await page.locator(`[data-node="hot-list"] [data-key="${symbol}"] button`).click()
      await stands(page, 'transaction.index')
      expect(page.url()).toContain(`symbol=${symbol}`)
      await page
        .locator('h1')
        .filter({ hasText: symbol.replace('USDT', '/USDT') })
        .waitFor()
      await page.goBack()
      await stands(page, 'home.home')
    }
  })

  test('tabs lead to their screens and mark the current one', async () => {
    const { page } = await home()
    for (const tab of [...tabs, ...tabs]) {
      const link = page.locator('[data-bar="tabs"] a').nth(tabs.indexOf(tab))
      await link.click()
      await stands(page, screenOf(tab.to))
      expect(await link.getAttribute('aria-current')).toBe('page')
      expect(await page.locator('[data-bar="tabs"] a[aria-current]').count()).toBe(1)
    }
  })
})

describe('a visit', () => {
  const places: [path: string, screen: string, choice: string, option: number, scroll: number][] = [
    ['pages/market/market', 'market.market', 'groups', 2, 300],
    ['pages/transaction/currency_order', 'transaction.currency_order', 'lists', 1, 60],
    ['pages/setting/bill', 'setting.bill', 'period', 1, 30],
  ]
  test('keeps its choice and its place on the way back and through a reload; a fresh one begins anew', async () => {
    const { token } = await person(app.origin)
    const viewport = { width: 390, height: 360 }
    const { page, go } = await visit({ origin: app.origin, viewport, storageState: profile(app.origin, token) })
    for (const [path, screen, choice, which, scroll] of places) {
      await go(path, screen)
      const option = page.locator(`[data-node="${choice}"] label`).nth(which)
      const chosen = () => option.getAttribute('data-on')
      const reach = () => page.evaluate(() => document.documentElement.scrollHeight - innerHeight)
      await option.click()
      await expect.poll(chosen).toBe('true')
      // Places are noted from when the layers have come; a page whose rows are on their way may still become shorter.
      await expect.poll(() => page.evaluate(() => history.scrollRestoration)).toBe('manual')
      await expect.poll(() => page.locator('#main [aria-busy="true"]').count()).toBe(0)
      await expect.poll(reach).toBeGreaterThanOrEqual(scroll)
      await page.mouse.move(200, 250)
      // The page may be shorter for a moment, when its rows have gone and what stands for none has not come.
      const scrolled = async () => {
        await page.mouse.wheel(0, scroll - (await page.evaluate(() => scrollY)))
        return page.evaluate(() => scrollY)
      }
      await expect.poll(scrolled).toBe(scroll)
      // A link to the same page.
      await page.evaluate((to) => {
        location.hash = `/${to}?fresh`
      }, path)
      await expect.poll(chosen).toBeNull()
      await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
      await page.goBack()
      await expect.poll(chosen).toBe('true')
      await expect.poll(() => page.evaluate(() => scrollY)).toBe(scroll)
      await page.reload()
      await stands(page, screen)
      await expect.poll(chosen).toBe('true')
      await expect.poll(() => page.evaluate(() => scrollY)).toBe(scroll)
    }
  })
})

describe('addresses', () => {
  const all = Object.entries(routes).flatMap(([path, route]) => [path, ...(route.aliases ?? [])].map((name) => ({ name, path, route })))
  // Generated tests check every screen on a phone, in every state of its data.
  test('every route and alias opens on a desktop', { tags: 'full' }, async () => {
    const viewport = desktop
    const stranger = await visit({ origin: app.origin, viewport })
    stranger.allow(/^foreign request: https:\/\/tessera\.example\//)
    await stranger.context.route('https://tessera.example/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Other</title><p>Another house</p>' }),
    )
    const customer = await visit({ origin: app.origin, viewport })
    await logIn(customer.page, app.origin, await person(app.origin))
    await stands(customer.page, 'home.home')
    // Pages of one trader or position, of which there is none, say so.
    for (const { allow } of [stranger, customer]) allow(/status of 404 .*\/api\/(?:follow|lever)\//)
    const found: Record<string, string> = {}
    const wanted: Record<string, string> = {}
    for (const { name, path, route } of all) {
      const address = name + (queries[path] ?? '')
      const { page, go } = 'auth' in route ? customer : stranger
      wanted[name] = `${route.screen}, tab ${route.tab ?? 'none'}, fits, whole`
      await go(address, route.screen).catch(() => undefined)
      // A blank page may only be slow.
      await settled(page)
      await page
        .waitForFunction(() => document.querySelector<HTMLElement>('[data-screen]')?.innerText.trim(), undefined)
        .catch(() => undefined)
      const seen = await page.evaluate(() => {
        const screen = document.querySelector<HTMLElement>('[data-screen]')
        const tab = document.querySelector('[data-bar="tabs"] a[aria-current]')
        const place = tab ? [...document.querySelectorAll('[data-bar="tabs"] a')].indexOf(tab) : -1
        const fits = document.documentElement.scrollWidth <= innerWidth ? 'fits' : `${document.documentElement.scrollWidth} px wide`
        const broken = [...document.querySelectorAll('[data-broken]')].map((node) => node.getAttribute('data-broken'))
        const whole = broken.length > 0 ? `broken ${broken.join()}` : screen?.innerText.trim() ? 'whole' : 'blank'
        return { screen: screen?.dataset.screen, place, fits, whole }
      })
      const tab = tabs[seen.place]
      found[name] = `${seen.screen}, tab ${tab ? (routes[tab.to]?.tab ?? tab.to) : 'none'}, ${seen.fits}, ${seen.whole}`
    }
    expect(found).toEqual(wanted)
  })

  const wrong = [
    'pages/nowhere',
    'pages/market',
    'PAGES/market/market',
    '../etc/passwd',
    'pages/common/article',
    'pages/common/article?nid=abc',
    'pages/common/article?nid=1.5',
    'pages/common/article?nid=',
    'pages/common/webView',
    'pages/common/aboutus?page=nothing',
    '__proto__',
    'constructor',
  ]
  test('an unknown address shows a message and a link home', { tags: 'full' }, async () => {
    const { page, go } = await visit({ origin: app.origin })
    const found: string[] = []
    for (const path of wrong) {
      await go(path, 'not-found').catch(() => undefined)
      found.push(`${path} ${await page.locator('[data-screen]').getAttribute('data-screen')}: ${await page.locator('h1').textContent()}`)
      await page.locator('[data-screen="not-found"] button').last().click()
      await stands(page, 'home.home')
    }
    expect(found).toEqual(wrong.map((path) => `${path} not-found: Page not found`))
  })

  test('an unknown article shows a message and a way back', { tags: 'full' }, async () => {
    const { page, go, allow } = await visit({ origin: app.origin })
    allow(/Failed to load resource.*getNewsDetail/)
    await go('pages/common/article?nid=999999', 'common.article')
    await page
      .getByText(/could not be loaded|not found/i)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Back' }).click()
    await stands(page, 'home.home')
  })

  const refused = ['https://evil.example/', 'javascript:alert(1)', 'http://tessera.example/', '//tessera.example', 'data:text/html,x']
  test('the embedded page refuses addresses that are not listed', async () => {
    const { page, go } = await visit({ origin: app.origin })
    for (const url of refused) {
      await go(`pages/common/webView?url=${encodeURIComponent(url)}`, 'common.webView')
      await page.getByText('This address cannot be opened here').waitFor()
      expect(await page.locator('iframe').count(), url).toBe(0)
      await go('pages/common/faq', 'common.faq')
    }
  })
})
