import type { Page } from 'playwright'
import { beforeAll, describe, expect, test } from 'vitest'
import { stands, useBrowser } from '#tests/support/browser/browser.ts'
import { firstOf } from '#tests/support/house/sizes.ts'
import { useOwnApp } from '#tests/support/servers/app.ts'
import { layCable } from '#tests/support/servers/proxy.ts'

const app = useOwnApp({ FEED: 'manual' })
const { visit } = useBrowser()
/** Without a tick a symbol has no price and is not listed. */
beforeAll(async () => {
  for (const [symbol, price] of [
    ['BTCUSDT', '90000.00'],
    ['ETHUSDT', '3000.00'],
    ['XAUUSDT', '2900.00'],
  ] as const)
    await app.tick(symbol, price)
})
const connected = (page: Page) => page.waitForSelector('[data-node="simulated"]:not([data-notice="down"])', { state: 'attached' })

/** Ticks once and waits, so that the socket is known to be open before anything is timed. */
async function warm(page: Page, selector: string): Promise<void> {
  await app.tick('BTCUSDT', '90000.10')
  await page.locator(selector).filter({ hasText: '90,000.10' }).first().waitFor()
}

describe('a tick', () => {
  const places: [name: string, path: string, screen: string, selector: string][] = [
    ['the home list', '', 'home.home', '[data-node="hot-list"] [data-key="BTCUSDT"]'],
    ['the market list', 'pages/market/market', 'market.market', '[data-node="list"] [data-key="BTCUSDT"]'],
    ['the trade header', 'pages/transaction/index?symbol=BTCUSDT', 'transaction.index', '[data-node="quote"]'],
    ['the middle of the book', 'pages/transaction/index?symbol=BTCUSDT', 'transaction.index', '[data-node="book"]'],
    ['the legend of the chart', 'pages/transaction/index?symbol=BTCUSDT', 'transaction.index', '[data-node="chart"]'],
    ['the tape', 'pages/transaction/index?symbol=BTCUSDT', 'transaction.index', '[data-node="tape"]'],
  ]
  test.for(firstOf(places, 1))('reaches %s', async ([, path, screen, selector]) => {
    const { page } = await visit({ origin: app.origin, path, screen })
    await connected(page)
    await warm(page, selector)
    await app.tick('BTCUSDT', '91234.50', '0.5')
    await page.locator(selector).filter({ hasText: '91,234.50' }).first().waitFor()
  })

  test('changes only the row of its symbol', async () => {
    const { page } = await visit({ origin: app.origin, path: 'pages/market/market', screen: 'market.market' })
    await connected(page)
    await warm(page, '[data-node="list"] [data-key="BTCUSDT"]')
    // Changes that still follow from the first answers do not come from the tick.
    await page.evaluate(
      () =>
        new Promise<void>((quiet) => {
          let wait = setTimeout(quiet, 500)
          const again = () => {
            clearTimeout(wait)
            wait = setTimeout(quiet, 500)
          }
          new MutationObserver(again).observe(document.querySelector('[data-node="list"]') as Element, {
            subtree: true,
            childList: true,
            characterData: true,
          })
        }),
    )
    await page.evaluate(() => {
      const touched: string[] = []
      ;(window as { touched?: string[] }).touched = touched
      const list = document.querySelector('[data-node="list"]')
      if (!list) throw new Error('no list')
      new MutationObserver((changes) => {
        for (const { target } of changes) {
          const element = target instanceof Element ? target : target.parentElement
          touched.push(element?.closest('[data-key]')?.getAttribute('data-key') ?? 'the list itself')
        }
      }).observe(list, { subtree: true, childList: true, characterData: true, attributes: true })
    })
    for (const price of ['90001.00', '90002.00', '90003.00']) {
      await app.tick('BTCUSDT', price)
      await page
        .locator('[data-node="list"] [data-key="BTCUSDT"]')
        .filter({ hasText: price.replace('90', '90,') })
        .waitFor()
    }
    const touched = await page.evaluate(() => (window as { touched?: string[] }).touched ?? [])
    expect(touched.length).toBeGreaterThan(2)
    expect([...new Set(touched)]).toEqual(['BTCUSDT'])
  })

  test('that is refused changes nothing', async () => {
    const { page } = await visit({ origin: app.origin, path: 'pages/market/market', screen: 'market.market' })
    await connected(page)
    const row = page.locator('[data-node="list"] [data-key="ETHUSDT"]')
    const before = await row.innerText()
    await expect(app.tick('ETHUSDT', '-1')).rejects.toThrow()
    await expect(app.tick('ETHUSDT', '1.0000001')).rejects.toThrow()
    await expect(app.tick('NOSUCH', '1')).rejects.toThrow()
    // A later price has come.
    await app.tick('BTCUSDT', '90000.70')
    await page.locator('[data-node="list"] [data-key="BTCUSDT"]').filter({ hasText: '90,000.70' }).waitFor()
    expect(await row.innerText()).toBe(before)
  })
})

describe('the line', () => {
  const broken = [/Failed to load resource/, /WebSocket connection to/, /ERR_/]
  const notice = '[data-node="simulated"]'
  const row = '[data-node="list"] [data-key="BTCUSDT"]'

  test('that is cut is reported, keeps its prices and reconnects', async () => {
    const cable = await layCable(app.origin)
    const { page, allow } = await visit({ origin: cable.origin, path: 'pages/market/market', screen: 'market.market' })
    for (const pattern of broken) allow(pattern)
    await connected(page)
    await warm(page, row)
    cable.cut()
    await page.locator(`${notice}[data-notice="down"]`).waitFor()
    expect(await page.locator(notice).innerText()).toContain('Reconnecting')
    expect(await page.locator(row).innerText()).toContain('90,000.10')
    await app.tick('BTCUSDT', '92000.00')
    const other = await visit({ origin: app.origin, path: 'pages/market/market', screen: 'market.market' })
    await other.page.locator(row).filter({ hasText: '92,000.00' }).waitFor()
    expect(await page.locator(row).innerText()).toContain('90,000.10')
    cable.mend()
    await page.locator(`${notice}:not([data-notice="down"])`).waitFor({ state: 'attached' })
    await page.locator(row).filter({ hasText: '92,000.00' }).waitFor()
    await app.tick('BTCUSDT', '92000.50')
    await page.locator(row).filter({ hasText: '92,000.50' }).waitFor()
    await cable.close()
  })

  test('of a restarted server reconnects, with the complete book', { tags: 'full' }, async () => {
    const { page, allow } = await visit({
      origin: app.origin,
      path: 'pages/transaction/index?symbol=BTCUSDT',
      screen: 'transaction.index',
    })
    for (const pattern of broken) allow(pattern)
    await connected(page)
    await warm(page, '[data-node="quote"]')
    await page.evaluate(() => {
      ;(window as { mark?: number }).mark = 1
    })
    await app.down()
    await page.locator(`${notice}[data-notice="down"]`).waitFor()
    expect(await page.locator('[data-node="quote"]').innerText()).toContain('90,000.10')
    await app.up()
    await page.locator(`${notice}:not([data-notice="down"])`).waitFor({ state: 'attached' })
    await app.tick('BTCUSDT', '93000.00')
    await page.locator('[data-node="quote"]').filter({ hasText: '93,000.00' }).waitFor()
    await expect.poll(() => page.locator('[data-node="book"]').getAttribute('aria-busy')).toBe('false')
    expect(await page.evaluate(() => (window as { mark?: number }).mark)).toBe(1)
    await stands(page, 'transaction.index')
  })

  test('with an unknown message reports it once, and continues', { tags: 'full' }, async () => {
    const { page } = await visit({ origin: app.origin })
    const say: ((text: string) => void)[] = []
    await page.routeWebSocket(/\/ws$/, (socket) => {
      socket.connectToServer()
      say.push((text) => socket.send(text))
    })
    await page.goto(`${app.origin}/#/pages/market/market`)
    await stands(page, 'market.market')
    await warm(page, row)
    for (const text of [
      '{"action":"nonsense"}',
      '{',
      `{"action":"getQuota","data":[{"symbol":"BTCUSDT","last":"1e999999"}]}`,
      'null',
      '[]',
      '{"action":'.repeat(500),
    ]) {
      for (const one of say) one(text)
    }
    const dialog = page.getByRole('alertdialog')
    await dialog.waitFor()
    expect(await dialog.count()).toBe(1)
    expect(await dialog.innerText()).toMatch(/invalid message received[\s\S]+could not be read/i)
    await dialog.getByRole('button').last().click()
    await dialog.waitFor({ state: 'hidden' })
    await app.tick('BTCUSDT', '94000.00')
    await page.locator(row).filter({ hasText: '94,000.00' }).waitFor()
    expect(await dialog.count()).toBe(0)
  })
})
