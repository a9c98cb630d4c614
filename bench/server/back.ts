import { setTimeout as pause } from 'node:timers/promises'
import type { WebSocketRoute } from 'playwright'
import { atMost, type Bar, median, option, short } from '#bench/bars.ts'
import { openBrowser } from '#bench/load/phone.ts'
import { newDataDir, removeDir, startProduct } from '#bench/product.ts'
import { createPoster } from '#bench/server/poster.ts'

/**
 * From the return of the network to a page that is up to date: a position that reached its take profit meanwhile is gone, and its profit is there.
 */
const rounds = option('backs', 20)
const symbol = 'BTCUSDT'
const order = { match_id: symbol, side: 'long', lots: '1', multiple: '20', target_profit_price: '52000' }

export async function back(): Promise<Bar[]> {
  const dir = newDataDir()
  const product = await startProduct(dir, { TEST_HOOKS: '1', FEED: 'manual' })
  const api = createPoster(product.origin)
  const browser = await openBrowser()
  try {
    const user = await api.post<{ uid: number; token: string }>('/test/user', {})
    const signed = () => ({ authorization: user.token, 'idempotency-key': crypto.randomUUID() })
    const tick = (price: string) => api.post('/test/tick', { symbol, price })
    const available = async () => (await api.post<{ available: string }>('/api/lever/dealall', {}, signed())).available
    await api.post('/test/credit', { user: String(user.uid), account: 'lever', currency: 'USDT', amount: '100000' })
    await tick('50000.00')
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en', serviceWorkers: 'block' })
    context.setDefaultTimeout(60_000)
    const kept = { version: '1', token: user.token }
    await context.addInitScript((values) => {
      for (const [name, value] of Object.entries(values)) localStorage.setItem(`tessera.${name}`, value)
    }, kept)
    const page = await context.newPage()
    // A browser that is set offline keeps the sockets that are open.
    const sockets = new Set<WebSocketRoute>()
    let isCut = false
    await page.routeWebSocket(/\/ws$/, (socket) => {
      if (isCut) return void socket.close()
      sockets.add(socket)
      socket.connectToServer()
    })
    await page.goto(`${product.origin}/#/pages/transaction/contract?symbol=${symbol}`)
    const node = (id: string) => page.locator(`[data-node="${id}"]`)
    await node('none').waitFor()
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      await api.post('/api/lever/orderOpen', order, signed())
      await node('position').waitFor()
      const before = await available()
      isCut = true
      for (const socket of sockets) await socket.close()
      sockets.clear()
      await context.setOffline(true)
      await page.locator('.offline', { hasText: /\S/ }).waitFor()
      await tick('52000.00')
      while ((await available()) === before) await pause(20)
      await tick('50000.00')
      const [whole, decimals = ''] = (await available()).split('.') as [string, string?]
      const shown = `${BigInt(whole).toLocaleString('en')}${decimals && `.${decimals.slice(0, 2)}`}`
      isCut = false
      const since = performance.now()
      await context.setOffline(false)
      await node('none').waitFor()
      await node('totals').filter({ hasText: shown }).waitFor()
      times.push(performance.now() - since)
    }
    const more = `median ${short(median(times))} ms of ${rounds}`
    return [atMost('from the return of the network to a page that is up to date, worst', Math.max(...times), 2_000, ' ms', more)]
  } finally {
    await browser.close()
    api.close()
    await product.stop()
    removeDir(dir)
  }
}
