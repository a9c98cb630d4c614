import { setTimeout as pause } from 'node:timers/promises'
import { atMost, type Bar, median, option, short } from '#bench/bars.ts'
import { openBrowser } from '#bench/load/phone.ts'
import { newDataDir, removeDir, startProduct } from '#bench/product.ts'
import { createPoster } from '#bench/server/poster.ts'
import { startSockets } from '#bench/server/sends.ts'

/** From a tick at the server to its price on a page, while 999 other sockets get it too. */
const others = 999
const warmUp = 10
const symbol = 'BTCUSDT'

/** Runs in the page: when each price was painted first, ms UTC. */
function watchPrices(row: string): void {
  const seen: Record<string, number> = {}
  Object.assign(window, { seen })
  const look = () => {
    const text = document.querySelector(row)?.textContent?.replaceAll(',', '') ?? ''
    const price = /\d{5}\.\d\d/.exec(text)?.[0]
    // After the frame in which it is new.
    if (price && !(price in seen)) {
      seen[price] = 0
      setTimeout(() => {
        seen[price] = Date.now()
      })
    }
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

export async function painted(): Promise<Bar[]> {
  const dir = newDataDir()
  const product = await startProduct(dir, { TEST_HOOKS: '1', FEED: 'manual', STREAMS_PER_ADDRESS: '2000' })
  const api = createPoster(product.origin)
  const browser = await openBrowser()
  try {
    await api.post('/test/tick', { symbol, price: '50000.00' })
    const sockets = await startSockets(product.origin, others, 0, symbol)
    const page = await browser.newPage({ viewport: { width: 390, height: 844 }, locale: 'en', serviceWorkers: 'block' })
    await page.addInitScript('globalThis.__name ??= (named) => named')
    await page.goto(`${product.origin}/#/pages/market/market`)
    const row = `li[data-key="${symbol}"]`
    await page.waitForSelector(row, { timeout: 30_000 })
    await page.evaluate(watchPrices, row)
    await pause(2_000)
    const ticks = option('ticks', 200)
    const sentAt = new Map<string, number>()
    for (let n = 1; n <= warmUp + ticks; n++) {
      const price = (50_000 + n * 1.01).toFixed(2)
      if (n > warmUp) sentAt.set(price, Date.now())
      await api.post('/test/tick', { symbol, price })
      // So that ticks fall anywhere between two messages, and each is painted.
      await pause(280 + Math.random() * 250)
    }
    const seen = await page.evaluate(() => (window as unknown as { seen: Record<string, number> }).seen)
    const times = [...sentAt].flatMap(([price, at]) => (seen[price] ? [seen[price] - at] : []))
    await sockets.stop()
    times.sort((a, b) => a - b)
    const at = (share: number) => times[Math.ceil(times.length * share) - 1]!
    const more = `median ${short(median(times))} ms, p95 ${short(at(0.95))} ms, ${times.length} of ${ticks} painted`
    return [atMost(`from a tick to its price painted, ${others + 1} sockets, p99`, at(0.99), 150, ' ms', more)]
  } finally {
    await browser.close()
    api.close()
    await product.stop()
    removeDir(dir)
  }
}
