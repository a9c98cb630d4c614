import type { Page } from 'playwright'
import { afterEach, describe, expect, test } from 'vitest'
import { stands, useBrowser } from '#tests/support/browser/browser.ts'
import { expectToast } from '#tests/support/browser/messages.ts'
import { settled } from '#tests/support/browser/waits.ts'
import { firstOf } from '#tests/support/house/sizes.ts'
import { changed, copy, document, meddle, type Part, replace } from '#tests/support/meddle.ts'
import { useApp } from '#tests/support/servers/app.ts'

const app = useApp()
const { visit } = useBrowser()
/** A release whose change no open page shows, so that pages load it. */
const nudge = () => app.force({ 'prompt/clear-data': { ...document('prompts/clear-data'), danger: false } })
const mark = (page: Page) =>
  page.evaluate(() => {
    ;(window as { mark?: number }).mark = 1
  })
const marked = (page: Page) => page.evaluate(() => (window as { mark?: number }).mark === 1)

afterEach(() => app.restore())

describe('a release published while a page is open', () => {
  test('is shown without a reload and keeps entered text', async () => {
    const { page } = await visit({ origin: app.origin, path: 'pages/market/search', screen: 'market.search' })
    await page.getByRole('searchbox').fill('gold')
    await page.locator('[data-node="results"] [data-key="XAUUSDT"]').waitFor()
    await mark(page)
    await app.force({
      'screen/market.search': changed('screens/market/search', 'bar', (node) => {
        node.props = { title: 'Find anything' }
      }),
    })
    await page.locator('h1').filter({ hasText: 'Find anything' }).waitFor()
    expect(await page.getByRole('searchbox').inputValue()).toBe('gold')
    expect(await page.locator('[data-node="results"] [data-key="XAUUSDT"]').count()).toBe(1)
    expect(await marked(page)).toBe(true)
    await app.restore()
    await page.locator('h1').filter({ hasText: 'Search' }).waitFor()
    expect(await page.getByRole('searchbox').inputValue()).toBe('gold')
    expect(await marked(page)).toBe(true)
  })

  test('changes entries, routes, theme and tab bar too', { tags: 'full' }, async () => {
    const { page, go } = await visit({ origin: app.origin, screen: 'home.home' })
    await mark(page)
    const entries = copy(document('quick-entries/home')) as { entries: Part[] }
    entries.entries = entries.entries.slice(0, 3)
    const theme = copy(document('theme')) as { dark: Record<string, string> }
    theme.dark.accent = '#FFCC00'
    const routes = copy(document('routes')) as { routes: Record<string, Part> }
    routes.routes['pages/new/place'] = { screen: 'common.faq' }
    routes.routes['pages/fund/exchange'] = { ...routes.routes['pages/fund/exchange'], off: true }
    const tabs = copy(document('quick-entries/tabs')) as { entries: Part[] }
    tabs.entries = tabs.entries.slice(0, 2)
    await app.force({ 'quick-entries/home': entries, 'theme/theme': theme, 'routes/routes': routes, 'quick-entries/tabs': tabs })
    await expect.poll(() => page.locator('[data-node="entries"] a').count()).toBe(3)
    await expect
      .poll(() => page.evaluate(() => getComputedStyle(window.document.documentElement).getPropertyValue('--accent')))
      .toBe('#FFCC00')
    await expect.poll(() => page.locator('[data-bar="tabs"] a').count()).toBe(2)
    await page.locator('[data-node="entries"] a').nth(2).click()
    await expectToast(page, 'This function is under development')
    expect(await page.locator('[data-screen]').getAttribute('data-screen')).toBe('home.home')
    await go('pages/fund/exchange', 'off')
    await page.locator('h1').filter({ hasText: 'This function is under development' }).waitFor()
    await go('pages/new/place', 'common.faq')
    expect(await marked(page)).toBe(true)
  })
})

describe('a broken release', () => {
  interface Row {
    name: string
    documents: () => Record<string, unknown>
    path: string
    /** Shows that the rest of the screen works, or its error message. */
    alive: string
    gone?: string
    /** Shows the same on a page that had the screen open, where that differs. */
    kept?: string
  }
  const settings = 'screens/setting/setting'
  const market = 'screens/market/market'
  const one = (key: string, doc: unknown) => () => ({ [`screen/${key}`]: doc })
  const inMarket = (id: string, change: (node: Part) => void) => () => ({ 'screen/market.market': changed(market, id, change) })
  const rows: Row[] = [
    {
      name: 'an unknown widget without a fallback',
      documents: inMarket('to-search', (node) => void (node.widget = 'hologram')),
      path: 'pages/market/market',
      alive: '[data-node="list"] [data-key="BTCUSDT"]',
      gone: '[data-node="to-search"]:not(.broken)',
    },
    {
      name: 'an unknown widget that may be dropped',
      documents: inMarket('simulated', (node) => void (node.widget = 'hologram')),
      path: 'pages/market/market',
      alive: '[data-node="list"] [data-key="BTCUSDT"]',
      gone: '[data-node="simulated"], .broken',
    },
    {
      name: 'an unknown widget with a fallback',
      documents: inMarket('to-search', (node) => {
        node.widget = 'hologram'
        node.fallback = { id: 'plan-b', widget: 'text', props: { text: 'Plan B' } }
      }),
      path: 'pages/market/market',
      alive: '[data-node="plan-b"]',
      gone: '.broken',
    },
    {
      name: 'props of wrong types that make a view throw',
      documents: inMarket('groups', (node) => void (node.props = { label: 7, value: {}, options: 'none' })),
      path: 'pages/market/market',
      alive: '[data-node="list"] [data-key="BTCUSDT"]',
    },
    {
      name: 'rows that are not a list',
      documents: inMarket('list', (node) => void ((node.props as Part).rows = { length: 3, 0: null })),
      path: 'pages/market/market',
      alive: '[data-node="groups"]',
    },
    {
      name: 'no props at all',
      documents: inMarket('list', (node) => void (node.props = null)),
      path: 'pages/market/market',
      alive: '[data-node="groups"]',
    },
    {
      name: 'a path to missing data',
      documents: inMarket('list', (node) => void ((node.props as Part).rows = { $: 'data.nowhere.list' })),
      path: 'pages/market/market',
      alive: '[data-node="groups"]',
    },
    {
      name: 'a refused expression',
      documents: inMarket('to-search', (node) => void (node.props = { label: { $: { method: [{ var: 'x' }, 'constructor'] } } })),
      path: 'pages/market/market',
      alive: '[data-node="list"] [data-key="BTCUSDT"]',
    },
    {
      name: 'a refused guard',
      documents: inMarket('to-search', (node) => void (node.show = { eval: 'alert(1)' })),
      path: 'pages/market/market',
      alive: '[data-node="list"] [data-key="BTCUSDT"]',
      gone: '[data-node="to-search"]',
    },
    {
      name: 'an unknown call',
      documents: () => {
        const doc = copy(document(market)) as { data: Part }
        doc.data.quotation = { call: 'no.such.call' }
        return { 'screen/market.market': doc }
      },
      path: 'pages/market/market',
      alive: '[data-node="groups"]',
    },
    {
      name: 'a body that is not a list',
      documents: one('market.market', { ...document(market), body: 'nothing' }),
      path: 'pages/market/market',
      alive: '[data-node="list"] [data-key="BTCUSDT"]',
    },
    {
      name: 'a body that is null',
      documents: one('market.market', { ...document(market), body: null }),
      path: 'pages/market/market',
      alive: '[data-node="list"] [data-key="BTCUSDT"]',
    },
    {
      name: 'a missing screen',
      documents: one('market.market', null),
      path: 'pages/market/market',
      alive: '[data-screen="broken"] button',
      kept: '[data-node="list"] [data-key="BTCUSDT"]',
    },
    {
      name: 'a missing list of entries',
      documents: () => ({ 'quick-entries/home': null }),
      path: '',
      alive: '[data-node="hot-list"] [data-key="BTCUSDT"]',
    },
    {
      name: 'a missing list of tabs',
      documents: () => ({ 'quick-entries/tabs': null }),
      path: '',
      alive: '[data-node="hot-list"] [data-key="BTCUSDT"]',
    },
    {
      name: 'a broken home',
      documents: one('home.home', { ...document('screens/home/home'), body: [{ id: 'x', widget: 'hologram' }] }),
      path: '',
      alive: '.broken, [data-screen="broken"]',
    },
    {
      name: 'settings with an unknown widget',
      documents: () => ({ 'screen/setting.setting': changed(settings, 'theme', (node) => void (node.widget = 'hologram')) }),
      path: 'pages/setting/setting',
      alive: '[data-node="language"]',
    },
  ]

  /** One page is open when the release arrives, the other is opened afterwards. */
  test.for(firstOf(rows, 1))('$name', async (row) => {
    const [open, later] = await Promise.all([visit({ origin: app.origin }), visit({ origin: app.origin })])
    for (const { allow } of [open, later]) allow(/^console: (?!policy)/)
    await open.go(row.path)
    await settled(open.page)
    for (const { page } of [open, later]) await meddle(page, replace(row.documents()))
    const asked = open.page.waitForResponse('**/config/manifest*')
    await nudge()
    await asked
    const lives = async ({ page, go }: typeof open, alive: string) => {
      await page.locator(alive).first().waitFor()
      if (row.gone !== undefined) await expect.poll(() => page.locator(row.gone ?? '').count()).toBe(0)
      expect((await page.locator('.app').innerText()).trim().length).toBeGreaterThan(10)
      await go('pages/setting/setting', 'setting.setting')
      await page.locator('[data-node="language"]').waitFor()
      await go('', undefined)
      expect((await page.locator('.app').innerText()).trim().length).toBeGreaterThan(10)
      await page.unroute('**/config/manifest*')
    }
    await later.go(row.path)
    await Promise.all([lives(open, row.kept ?? row.alive), lives(later, row.alive)])
    await app.restore()
    for (const { page } of [open, later]) await page.locator('[data-node="hot-list"] [data-key="BTCUSDT"]').waitFor()
  })

  test('missing texts leave the screen working', { tags: 'full' }, async () => {
    const { page, go, allow } = await visit({ origin: app.origin })
    allow(/^console: (?!policy)/)
    await meddle(page, ({ texts, inline }) => {
      const sha256 = texts.home
      delete texts.home
      if (sha256) delete inline[sha256]
    })
    await go('', 'home.home')
    await page.locator('[data-node="hot-list"] [data-key="BTCUSDT"]').waitFor()
    await go('pages/setting/setting', 'setting.setting')
  })

  test('an unreadable release leaves the last good one in place', async () => {
    const { page, allow } = await visit({ origin: app.origin, screen: 'home.home' })
    allow(/Failed to load resource/)
    await mark(page)
    await page.route('**/config/**', (route) => route.fulfill({ status: 500, body: 'oh' }))
    const refused = page.waitForResponse((answer) => answer.status() === 500)
    await app.force({ 'quick-entries/home': { ...document('quick-entries/home'), entries: [] } })
    await refused
    await settled(page)
    expect(await page.locator('[data-node="entries"] a').count()).toBeGreaterThan(5)
    await page.unroute('**/config/**')
    await expect.poll(() => page.locator('[data-node="entries"] a').count()).toBe(0)
    expect(await marked(page)).toBe(true)
    await stands(page, 'home.home')
  })
})
