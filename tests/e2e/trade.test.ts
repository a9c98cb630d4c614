import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { desktop, phone, stands, useBrowser, type VisitOptions } from '#tests/support/browser/browser.ts'
import { drawn, inked, summary } from '#tests/support/browser/chart.ts'
import { expectToast } from '#tests/support/browser/messages.ts'
import { settled } from '#tests/support/browser/waits.ts'
import { person, profile } from '#tests/support/people/people.ts'
import { useApp } from '#tests/support/servers/app.ts'

const app = useApp()
const { visit } = useBrowser()
const trade = (options: Partial<VisitOptions> = {}) =>
  visit({ origin: app.origin, path: 'pages/transaction/index?symbol=BTCUSDT', screen: 'transaction.index', ...options })

describe('the chart', () => {
  test('draws candles with their figures', async () => {
    const { page } = await trade()
    await drawn(page)
    await expect.poll(() => inked(page)).toBeGreaterThan(500)
    expect(await page.locator('[data-node="chart"]').getByRole('slider').getAttribute('aria-label')).toContain('BTCUSDT')
    expect(await summary(page)).toMatch(/BTCUSDT.*last price/)
  })

  test('has nine periods, each with its candles', { tags: 'full' }, async () => {
    const { page } = await trade()
    await drawn(page)
    const periods = page.getByRole('radiogroup', { name: 'Candle interval' }).getByRole('radio')
    const names = await periods.allInnerTexts()
    expect(names).toEqual(['1m', '5m', '15m', '30m', '1h', '4h', '1D', '1W', '1M'])
    const seen = new Set<string>()
    for (let i = 0; i < names.length; i++) {
      await periods.nth(i).click()
      await expect.poll(() => periods.nth(i).getAttribute('aria-checked')).toBe('true')
      await expect.poll(() => page.locator('[data-node="chart"]').getAttribute('aria-busy')).toBe('false')
      await drawn(page)
      seen.add(await page.getByRole('slider').getAttribute('aria-label').then(String))
      expect(Number(await page.getByRole('slider').getAttribute('aria-valuemax')), names[i]).toBeGreaterThan(5)
    }
    expect(seen.size).toBe(9)
    await page.reload()
    await stands(page, 'transaction.index')
    await expect.poll(() => periods.nth(8).getAttribute('aria-checked')).toBe('true')
  })

  test('turns into a line and back, and remembers', { tags: 'full' }, async () => {
    const { page } = await trade()
    await drawn(page)
    const kinds = page.getByRole('radiogroup', { name: 'Chart type' })
    await kinds.getByRole('radio', { name: 'Line' }).click()
    await expect.poll(() => kinds.getByRole('radio', { name: 'Line' }).getAttribute('aria-checked')).toBe('true')
    await drawn(page)
    await page.reload()
    await stands(page, 'transaction.index')
    await expect.poll(() => kinds.getByRole('radio', { name: 'Line' }).getAttribute('aria-checked')).toBe('true')
    await kinds.getByRole('radio', { name: 'Candles' }).click()
    await drawn(page)
  })

  test('older candles come when one looks to the left', { tags: 'full' }, async () => {
    const { page } = await trade()
    await drawn(page)
    const slider = page.getByRole('slider').first()
    await expect.poll(async () => Number(await slider.getAttribute('aria-valuemax'))).toBeGreaterThan(100)
    const before = Number(await slider.getAttribute('aria-valuemax'))
    const box = await slider.boundingBox()
    if (!box) throw new Error('no chart')
    for (let i = 0; i < 12 && Number(await slider.getAttribute('aria-valuemax')) <= before + 50; i++) {
      await page.mouse.move(box.x + 20, box.y + 100)
      await page.mouse.down()
      await page.mouse.move(box.x + box.width - 80, box.y + 100, { steps: 5 })
      await page.mouse.up()
      await settled(page)
    }
    await expect.poll(async () => Number(await slider.getAttribute('aria-valuemax'))).toBeGreaterThan(before + 50)
    await drawn(page)
  })

  test('arrows read candle by candle', { tags: 'full' }, async () => {
    const { page } = await trade()
    await drawn(page)
    const slider = page.getByRole('slider').first()
    await slider.focus()
    await page.keyboard.press('ArrowLeft')
    const first = await slider.getAttribute('aria-valuetext')
    expect(first).toMatch(/open .*high .*low .*close /)
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => slider.getAttribute('aria-valuetext')).not.toBe(first)
  })
})

describe('the book', () => {
  const prices = (page: Page, side: 'bids' | 'asks') =>
    page
      .locator(`[data-node="book"] [data-side="${side}"] button`)
      .evaluateAll((rows) => rows.map((row) => Number((row.firstElementChild as HTMLElement).innerText.replaceAll(',', ''))))

  test('has ten rows a side and is never crossed', async () => {
    const { page } = await trade()
    await expect.poll(async () => (await prices(page, 'asks')).length).toBe(10)
    const wrong = await page.evaluate(async () => {
      const wrong: string[] = []
      let changes = 0
      let last = ''
      while (changes < 6) {
        await new Promise((done) => requestAnimationFrame(done))
        const side = (name: string) =>
          [...document.querySelectorAll<HTMLElement>(`[data-node="book"] [data-side="${name}"] button > :first-child`)].map((cell) =>
            Number(cell.innerText.replaceAll(',', '')),
          )
        const bids = side('bids')
        const asks = side('asks')
        const text = `${bids} / ${asks}`
        if (text === last) continue
        last = text
        changes++
        if (bids.length !== 10 || asks.length !== 10) wrong.push(`rows ${bids.length}+${asks.length}`)
        if (Math.max(...bids) >= Math.min(...asks)) wrong.push(`crossed ${text}`)
        const falling = (list: number[]) => list.every((price, i) => i === 0 || price < (list[i - 1] ?? 0))
        if (!falling(bids) || !falling(asks)) wrong.push(`order ${text}`)
      }
      return wrong
    })
    expect(wrong).toEqual([])
  })

  test('coarser steps gather levels', { tags: 'full' }, async () => {
    const { page } = await trade()
    await expect.poll(async () => (await prices(page, 'asks')).length).toBe(10)
    const select = page.getByRole('combobox', { name: 'Price step' })
    const steps = await select.locator('option').evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value))
    expect(steps.length).toBeGreaterThan(2)
    for (const step of steps) {
      await select.selectOption(step)
      const unit = Number((await select.locator('option:checked').innerText()).replaceAll(',', ''))
      expect(unit).toBeGreaterThan(0)
      for (const side of ['bids', 'asks'] as const) {
        await expect
          .poll(async () => {
            const list = await prices(page, side)
            return list.length > 0 && list.every((price) => Math.abs(price / unit - Math.round(price / unit)) < 1e-6)
          })
          .toBe(true)
      }
    }
  })

  test('a tap on a price gives the price', async () => {
    const { page, context } = await trade()
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const row = page.locator('[data-node="book"] [data-side="bids"] button').nth(3)
    await row.waitFor()
    await row.click()
    await expectToast(page, 'Copied')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^\d+(\.\d+)?$/)
  })

  test('its other face is the depth chart, read by keys', { tags: 'full' }, async () => {
    const { page } = await trade()
    await page.locator('[data-node="depth-view"]').getByText('Depth chart').click()
    const chart = page.locator('[data-node="depth"]')
    await chart.locator('svg path').first().waitFor()
    expect(await page.locator('[data-node="book"]').count()).toBe(0)
    const slider = chart.getByRole('slider')
    await slider.focus()
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toMatch(/bid at/)
    await page.keyboard.press('End')
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toMatch(/offered at/)
    await page.locator('[data-node="depth-view"]').getByText('Order book').click()
    await page.locator('[data-node="book"]').waitFor()
  })

  test('the tape runs, newest first', async () => {
    const { page } = await trade()
    const rows = page.locator('[data-node="tape"] tbody tr')
    await rows.first().waitFor()
    const first = await rows.first().getAttribute('data-key')
    await expect.poll(() => rows.first().getAttribute('data-key')).not.toBe(first)
    // Trades are numbered as they are made. Their times are the machine's, whose clock may be set back.
    const numbers = await rows.evaluateAll((all) => all.map((one) => Number(one.getAttribute('data-key'))))
    expect(numbers).toEqual([...numbers].sort((a, b) => b - a))
    expect(numbers.length).toBeLessThanOrEqual(20)
  })
})

describe('the symbol', () => {
  test('is changed in a sheet, on the same screen', { tags: 'full' }, async () => {
    const { page } = await trade()
    await drawn(page)
    await page.evaluate(() => {
      ;(document.querySelector('[data-screen]') as { mark?: boolean } | null)!.mark = true
    })
    await page.getByRole('button', { name: 'Switch market' }).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByRole('searchbox').fill('gold')
    await expect.poll(() => sheet.locator('[data-key]').count()).toBe(1)
    await sheet.locator('[data-key="XAUUSDT"] button').last().click()
    await page.locator('h1').filter({ hasText: 'XAU/USDT' }).waitFor()
    await sheet.waitFor({ state: 'hidden' })
    expect(page.url()).toContain('symbol=XAUUSDT')
    expect(await page.evaluate(() => (document.querySelector('[data-screen]') as { mark?: boolean } | null)?.mark)).toBe(true)
    await drawn(page)
    await expect.poll(() => page.getByRole('slider').first().getAttribute('aria-label')).toContain('XAUUSDT')
    await expect
      .poll(async () =>
        Number((await page.locator('[data-node="book"] [data-side="bids"] button > :first-child').first().innerText()).replaceAll(',', '')),
      )
      .toBeLessThan(20_000)
  })

  test('is starred here and found among the favourites', { tags: 'full' }, async () => {
    const { page, go } = await trade()
    const star = page.locator('[data-node="star"]')
    await star.click()
    await expect.poll(() => star.getAttribute('aria-pressed')).toBe('true')
    await go('pages/market/market', 'market.market')
    await page.locator('[data-node="groups"]').getByText('Favourites', { exact: true }).click()
    await page.locator('[data-node="favourites"] [data-key="BTCUSDT"]').waitFor()
  })

  test('that does not exist says so and offers others', { tags: 'full' }, async () => {
    const { page, go, allow } = await visit({ origin: app.origin })
    allow(/Failed to load resource.*getQuota/)
    await go('pages/transaction/index?symbol=NOSUCH', 'transaction.index')
    await page.getByText('Market unavailable').waitFor()
    await page.getByRole('button', { name: 'Choose a market' }).click()
    await page.getByRole('dialog').locator('[data-key="ETHUSDT"] button').last().click()
    await page.locator('h1').filter({ hasText: 'ETH/USDT' }).waitFor()
    await drawn(page)
  })
})

describe('the place', () => {
  const columns = (page: Page) =>
    page
      .locator('[data-node="panels"] > div:not([role="separator"])')
      .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().left)))
  test('three columns from 900 px, one below', async () => {
    const { page } = await trade({ viewport: desktop })
    await drawn(page)
    const rows: [number, number][] = [
      [1280, 3],
      [900, 3],
      [899, 1],
      [390, 1],
    ]
    for (const [width, count] of rows) {
      await page.setViewportSize({ width, height: 800 })
      await expect.poll(async () => new Set(await columns(page)).size, { message: `${width} px` }).toBe(count)
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${width} px`).toBe(true)
      await drawn(page)
    }
  })

  test('the time axis and the attribution of the chart can be seen in the wide layout', { tags: 'full' }, async () => {
    const { page } = await trade({ viewport: desktop })
    await drawn(page)
    const place = await page.evaluate(() => {
      const chart = document.querySelector('[data-node="chart"]')?.getBoundingClientRect()
      const buttons = document.querySelector('[data-node="products"]')?.getBoundingClientRect()
      return { chart: Math.round(chart?.bottom ?? 0), buttons: Math.round(buttons?.top ?? 0) }
    })
    expect(place.chart).toBeLessThanOrEqual(place.buttons)
  })

  test('turning the phone keeps the chart', { tags: 'full' }, async () => {
    const { page } = await trade()
    await drawn(page)
    const label = await page.getByRole('slider').first().getAttribute('aria-label')
    await page.setViewportSize({ width: phone.height, height: phone.width })
    await drawn(page)
    await page.setViewportSize(phone)
    await drawn(page)
    expect(await page.getByRole('slider').first().getAttribute('aria-label')).toBe(label)
  })

  test('the chart names whose library draws it', { tags: 'full' }, async () => {
    const { page } = await trade()
    await drawn(page)
    await page.locator('[data-node="chart"] a[href*="tradingview.com"]').first().waitFor()
  })
})

/** The limit of a good page, see https://web.dev/articles/cls. */
const shiftMost = 0.1
type Shifted = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node: Node | null }[] }

/** Notes what moves in the page, and how much, without having been pressed. */
function noteShifts(): void {
  const shifts: { value: number; moved: string }[] = []
  Object.assign(window, { shifts })
  const nameOf = (node: Node | null) => (node instanceof HTMLElement ? (node.closest<HTMLElement>('[data-node]')?.dataset.node ?? '') : '')
  const note = (list: PerformanceObserverEntryList) => {
    for (const { value, hadRecentInput, sources } of list.getEntries() as Shifted[])
      if (!hadRecentInput) shifts.push({ value, moved: sources.map(({ node }) => nameOf(node)).join(' ') })
  }
  new PerformanceObserver(note).observe({ type: 'layout-shift', buffered: true })
}

test.each([
  ['contract', 'transaction.contract', 'sums'],
  ['seconds_order', 'transaction.seconds_order', 'sums'],
  ['currency', 'transaction.currency', 'funds'],
  ['index', 'transaction.index', 'chart'],
])('on a slow line nothing of the page %s jumps while it loads', async (path, screen, last) => {
  const { token } = await person(app.origin)
  const { page } = await visit({ origin: app.origin, path: '', storageState: profile(app.origin, token) })
  await page.addInitScript(noteShifts)
  const line = await page.context().newCDPSession(page)
  await line.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: 100_000,
    uploadThroughput: 100_000,
  })
  await page.goto(`${app.origin}/#/pages/transaction/${path}?symbol=BTCUSDT`)
  await stands(page, screen)
  await page.locator(`[data-node="${last}"]`).waitFor()
  await settled(page)
  const shifts = await page.evaluate(() => (window as unknown as { shifts: { value: number; moved: string }[] }).shifts)
  const sum = shifts.reduce((all, { value }) => all + value, 0)
  expect(sum, JSON.stringify(shifts)).toBeLessThanOrEqual(shiftMost)
})
