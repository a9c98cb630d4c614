import { describe, expect, test } from 'vitest'
import { stands, useBrowser } from '#tests/support/browser/browser.ts'
import { useApp } from '#tests/support/servers/app.ts'

const app = useApp()
const { visit } = useBrowser()
const market = (keep: Record<string, unknown> = {}) =>
  visit({ origin: app.origin, path: 'pages/market/market', screen: 'market.market', keep })
const search = (keep: Record<string, unknown> = {}) =>
  visit({ origin: app.origin, path: 'pages/market/search', screen: 'market.search', keep })

describe('the market', () => {
  const groups: [name: string, in_: string[], out: string[]][] = [
    ['All', ['BTCUSDT', 'AAPLUSDT', 'XAUUSDT', 'US500USDT'], []],
    ['Crypto', ['BTCUSDT', 'ETHUSDT'], ['AAPLUSDT', 'XAUUSDT', 'US500USDT']],
    ['Stocks', ['AAPLUSDT', 'TSLAUSDT'], ['BTCUSDT', 'XAUUSDT']],
    ['Metals', ['XAUUSDT', 'XAGUSDT'], ['BTCUSDT', 'AAPLUSDT']],
    ['Indices', ['US500USDT'], ['BTCUSDT', 'XAUUSDT']],
  ]
  test('each group shows its own', async () => {
    const { page } = await market()
    await page.locator('[data-node="list"] [data-key]').first().waitFor()
    for (const [name, inside, outside] of groups) {
      await page.locator('[data-node="groups"]').getByText(name, { exact: true }).click()
      await expect.poll(() => page.getByRole('radio', { name, exact: true }).isChecked()).toBe(true)
      for (const symbol of inside)
        expect(await page.locator(`[data-node="list"] [data-key="${symbol}"]`).count(), `${name} ${symbol}`).toBe(1)
      for (const symbol of outside)
        expect(await page.locator(`[data-node="list"] [data-key="${symbol}"]`).count(), `${name} ${symbol}`).toBe(0)
    }
  })

  test('a star makes a favourite that stays, and taking it away empties the list', async () => {
    const { page } = await market()
    const group = (name: string) => page.locator('[data-node="groups"]').getByText(name, { exact: true }).click()
    await group('Favourites')
    await page.getByText('No favourites yet').waitFor()
    await page.getByText(/Tap the star/).waitFor()
    await page.getByRole('button', { name: 'Show all markets' }).click()
    for (const name of ['ETH/USDT', 'XAU/USDT']) {
      const star = page.locator('[data-node="list"]').getByRole('button', { name: `Favourite: ${name}` })
      expect(await star.getAttribute('aria-pressed')).toBe('false')
      await star.click()
      await expect.poll(() => star.getAttribute('aria-pressed')).toBe('true')
    }
    await page.reload()
    await stands(page, 'market.market')
    await group('Favourites')
    const rows = page.locator('[data-node="favourites"] li[data-key]')
    await rows.first().waitFor()
    expect((await rows.evaluateAll((all) => all.map((one) => one.getAttribute('data-key')))).sort()).toEqual(['ETHUSDT', 'XAUUSDT'])
    for (const name of ['ETH/USDT', 'XAU/USDT']) await page.getByRole('button', { name: `Favourite: ${name}` }).click()
    await page.getByText('No favourites yet').waitFor()
  })

  test('sorting by change turns round and ends', { tags: 'full' }, async () => {
    const { page } = await market()
    await page.locator('[data-node="groups"]').getByText('Metals', { exact: true }).click()
    const rows = page.locator('[data-node="list"] [data-key$="USDT"]')
    await expect.poll(() => rows.count()).toBeLessThan(8)
    const plain = await rows.evaluateAll((all) => all.map((one) => one.getAttribute('data-key')))
    const changes = () =>
      rows.evaluateAll((all) => all.map((one) => Number.parseFloat(/([+-][\d.]+)%/.exec((one as HTMLElement).innerText)?.[1] ?? '0')))
    const head = page.locator('[data-node="list"] button[data-key="change"]')
    await head.click()
    expect(await head.getAttribute('data-way')).toBe('falling')
    const falling = await changes()
    expect(falling).toEqual([...falling].sort((a, b) => b - a))
    expect(falling.length).toBe(plain.length)
    await head.click()
    expect(await head.getAttribute('data-way')).toBe('rising')
    const rising = await changes()
    expect(rising).toEqual([...rising].sort((a, b) => a - b))
    await head.click()
    expect(await head.getAttribute('data-way')).toBeNull()
    expect(await rows.evaluateAll((all) => all.map((one) => one.getAttribute('data-key')))).toEqual(plain)
  })

  test('what was looked at is named again', { tags: 'full' }, async () => {
    const { page, go } = await market()
    expect(await page.locator('[data-node="recent"]').count()).toBe(0)
    await page.locator('[data-node="list"] [data-key="SOLUSDT"] button').last().click()
    await stands(page, 'transaction.index')
    await go('pages/market/market', 'market.market')
    await page.locator('[data-node="recent-list"] [data-key="SOLUSDT"]').waitFor()
    expect(await page.locator('[data-node="recent-list"] [data-key]').count()).toBe(1)
    await go('pages/market/search', 'market.search')
    await page.locator('[data-node="recent-list"] [data-key="SOLUSDT"]').waitFor()
  })
})

describe('the search', () => {
  const asks: [text: string, found: string[], not: string[]][] = [
    ['btc', ['BTCUSDT'], ['ETHUSDT']],
    ['ETH/USDT', ['ETHUSDT'], ['BTCUSDT']],
    ['gold', ['XAUUSDT'], ['XAGUSDT']],
    ['Bitcoin', ['BTCUSDT', 'BCHUSDT'], ['XAUUSDT']],
    ['apple', ['AAPLUSDT'], ['BTCUSDT']],
  ]
  test('symbols and names are found', async () => {
    const { page } = await search()
    for (const [text, found, not] of asks) {
      await page.getByRole('searchbox').fill(text)
      for (const symbol of found) await page.locator(`[data-node="results"] [data-key="${symbol}"]`).waitFor()
      for (const symbol of not)
        await expect.poll(() => page.locator(`[data-node="results"] [data-key="${symbol}"]`).count(), { message: text }).toBe(0)
    }
  })

  const strange = ['zzzz', '<script>window.__pwn=1</script>', '*', '"><img src=x onerror=window.__pwn=1>', 'ก็']
  test('what is not there is said as it was typed', { tags: 'full' }, async () => {
    const { page } = await search()
    for (const text of strange) {
      await page.getByRole('searchbox').fill(text)
      await page.getByText(`No results for “${text}”`).waitFor()
      await page.getByRole('button', { name: 'Clear search' }).last().click()
      await page.locator('[data-node="hot-list"]').waitFor()
      expect(await page.getByRole('searchbox').inputValue()).toBe('')
    }
    expect(await page.evaluate(() => (window as { __pwn?: number }).__pwn)).toBeUndefined()
  })

  test('past searches are kept, used again and cleared', { tags: 'full' }, async () => {
    const { page, go } = await search()
    expect(await page.locator('[data-node="past"]').count()).toBe(0)
    for (const text of ['sol', 'gold', 'sol']) {
      await page.getByRole('searchbox').fill(text)
      await page.getByRole('searchbox').press('Enter')
      await page.locator('[data-node="results"] [data-key]').first().waitFor()
    }
    await page.getByRole('searchbox').fill('')
    const past = page.locator('[data-node="past"] li')
    await past.first().waitFor()
    expect(await past.allInnerTexts()).toEqual(['sol', 'gold'])
    await page.reload()
    await stands(page, 'market.search')
    await past.filter({ hasText: 'gold' }).locator('button').click()
    await page.locator('[data-node="results"] [data-key="XAUUSDT"]').waitFor()
    expect(await page.getByRole('searchbox').inputValue()).toBe('gold')
    await page.locator('[data-node="results"] [data-key="XAUUSDT"] button').last().click()
    await stands(page, 'transaction.index')
    await go('pages/market/search', 'market.search')
    expect(await past.allInnerTexts()).toEqual(['gold', 'sol'])
    await page.locator('[data-node="past"]').getByRole('button', { name: 'Clear' }).click()
    await expect.poll(() => page.locator('[data-node="past"]').count()).toBe(0)
    await page.reload()
    await stands(page, 'market.search')
    expect(await past.count()).toBe(0)
  })
})
