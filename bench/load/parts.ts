import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright'
import { atLeast, atMost, type Bar, median, reported, short, spread } from '#bench/bars.ts'
import { onPhone } from '#bench/load/phone.ts'
import { timeFromTap, watchFirstQuote, watchStorm } from '#bench/load/probes.ts'
import type { Stub } from '#bench/load/stub.ts'
import { projectRoot } from '#bench/product.ts'
import type { Listing } from '#contract/calls/market.calls.ts'

export interface Stage {
  browser: Browser
  stub: Stub
  rounds: number
}

const contestants = [
  { name: 'ours', path: '/' },
  { name: 'handwritten', path: '/handwritten/' },
] as const
const longTaskMs = 100

/** Runs each contestant once per round and alternates who begins. */
export async function interleave<T>(rounds: number, work: (path: string) => Promise<T>): Promise<[ours: T[], handwritten: T[]]> {
  const results: [T[], T[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    for (const which of round % 2 ? [1, 0] : [0, 1]) results[which]!.push(await work(contestants[which]!.path))
  }
  return results
}

const firstLiveQuote = (browser: Browser, address: string) =>
  onPhone(browser, async ({ page, cdp }) => {
    // Thread time, which other load of the machine does not affect.
    await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
    const scripts: string[] = []
    page.on('request', (request) => request.resourceType() === 'script' && scripts.push(new URL(request.url()).pathname))
    await page.addInitScript(watchFirstQuote)
    await page.goto(address)
    const liveMs = await page.waitForFunction(() => window.liveAt).then((handle) => handle.jsonValue())
    const { metrics } = await cdp.send('Performance.getMetrics')
    const workMs = (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000
    return { liveMs: liveMs!, workMs, scripts: [...scripts] }
  })

/** Home with live quotes: bytes fetched, and time. */
export async function home({ browser, stub, rounds }: Stage): Promise<Bar[]> {
  stub.forward()
  for (const { path } of contestants) await firstLiveQuote(browser, stub.origin + path)
  const [ours, theirs] = await interleave(rounds, (path) => firstLiveQuote(browser, stub.origin + path))
  const scripts = [...new Set(ours.flatMap((one) => one.scripts))]
  const sizes = scripts.map((path) => {
    const file = join(projectRoot, 'dist/app', path)
    return { path, kb: existsSync(file) ? gzipSync(readFileSync(file), { level: 9 }).length / 1_000 : Number.NaN }
  })
  const total = sizes.reduce((sum, { kb }) => sum + kb, 0)
  const work = (list: typeof ours) => list.map((one) => one.workMs)
  const [mine, hand] = [ours.map((one) => one.liveMs), theirs.map((one) => one.liveMs)]
  return [
    atMost(
      'JavaScript before home is painted with live quotes, gzip',
      total,
      200,
      ' kB',
      sizes.map(({ path, kb }) => `${path.replace('/assets/', '')} ${short(kb)}`).join(', '),
    ),
    atMost('home with live quotes to handwritten', median(mine) / median(hand), 1.3, ' ×', `${spread(mine)} to ${spread(hand)} ms`),
    reported('home, work of the main thread until then to handwritten', `${short(median(work(ours)) / median(work(theirs)))} ×`),
  ]
}

async function storm(browser: Browser, address: string, seconds: number) {
  return onPhone(browser, async ({ page }) => {
    await page.goto(`${address}#/pages/market/market`)
    await page.waitForSelector('li[data-key] >> nth=20')
    await page.waitForTimeout(2_500)
    await page.evaluate(watchStorm)
    await page.waitForTimeout(seconds * 1_000)
    return page.evaluate(() => {
      const { frames, longTasks, touched, elsewhere } = window.storm!
      return { frames, longTasks, touched: Object.fromEntries(touched), elsewhere }
    })
  })
}

/** Five hundred changes a second on 25 symbols, while five others do not change. */
export async function market({ browser, stub, rounds }: Stage, productOrigin: string, seconds: number): Promise<Bar[]> {
  const { data } = (await (await fetch(`${productOrigin}/api/market/quotation`)).json()) as { data: { list: Listing[] } }
  const symbols = data.list.map(({ symbol }) => symbol)
  const ticked = symbols.slice(0, 25)
  await stub.flood(ticked, 500)
  const [ours, theirs] = await interleave(rounds, (path) => storm(browser, stub.origin + path, seconds))
  stub.forward()
  const frames = (list: typeof ours) => list.map((one) => one.frames / seconds)
  const tasks = ours.flatMap((one) => one.longTasks)
  const still = ours.flatMap((one) => [...Object.keys(one.touched).filter((symbol) => !ticked.includes(symbol)), ...one.elsewhere])
  const touched = new Set(ours.flatMap((one) => Object.keys(one.touched))).size
  const frameRatio = median(frames(ours)) / median(frames(theirs))
  const worst = Math.max(0, ...tasks)
  return [
    atLeast(
      'market, 500 updates/s: frames to handwritten',
      frameRatio,
      0.95,
      ' ×',
      `${spread(frames(ours))} to ${spread(frames(theirs))} a second`,
    ),
    atMost(
      'market, 500 updates/s: longest task',
      worst,
      longTaskMs,
      ' ms',
      `${tasks.length} over 50 ms; handwritten ${short(Math.max(0, ...theirs.flatMap((one) => one.longTasks)))} ms`,
    ),
    atMost(
      'market, 500 updates/s: changes of the page outside cells of ticked symbols',
      still.length,
      0,
      '',
      `${touched} of ${ticked.length} ticked symbols written ${[...new Set(still)].slice(0, 3).join(' ')}`,
    ),
  ]
}

/** A screen that was visited before, from tap to paint. */
export async function tap({ browser, stub, rounds }: Stage): Promise<Bar[]> {
  stub.forward()
  const times = await onPhone(browser, async ({ page }) => {
    const go = async (label: string, screen: string) => {
      const timed = page.evaluate(timeFromTap, `[data-screen="${screen}"]`)
      await page.waitForTimeout(50)
      await page.locator('nav[data-bar=tabs] a', { hasText: label }).click()
      return timed
    }
    await page.goto(stub.origin)
    await page.waitForSelector('[data-screen="home.home"] li[data-key]')
    await page.waitForTimeout(6_000)
    await go('Markets', 'market.market')
    const all: number[] = []
    for (let i = 0; i < rounds; i++) {
      await page.waitForTimeout(700)
      await go('Home', 'home.home')
      await page.waitForTimeout(700)
      all.push(await go('Markets', 'market.market'))
    }
    return all
  })
  return [atMost('known screen, tap to paint', median(times), 100, ' ms', spread(times))]
}

const bigList = {
  kind: 'screen',
  id: 'home.home',
  format: 1,
  data: { news: { call: 'news.getList', args: { type: 'news', page: '1', size: '10' } } },
  body: [
    {
      id: 'big',
      widget: 'list',
      props: { label: 'Big' },
      slots: {
        row: [
          {
            id: 'row',
            widget: 'row',
            repeat: { each: { $: 'data.news.list' }, key: 'nid' },
            props: { title: { $: 'item.title' }, note: { $: 'item.summary' } },
          },
        ],
      },
    },
  ],
}

/** Ten thousand rows from one answer. */
export async function bigScreen({ browser, stub, rounds }: Stage): Promise<Bar[]> {
  const send = (init: RequestInit) => fetch(`${stub.origin}/test/release`, init)
  const forced = await send({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ documents: { 'screen/home.home': bigList } }),
  })
  if (!forced.ok) throw new Error(`the test release was refused: ${forced.status}`)
  const list = Array.from({ length: 10_000 }, (_, i) => ({
    nid: i + 1,
    c_id: 1,
    title: `Article ${i}`,
    summary: `Summary of article ${i}`,
    cover: '',
    time: 1_790_000_000_000,
  }))
  const answer = JSON.stringify({ code: 1, msg: '', data: { list, total: list.length } })
  try {
    const rowsSeen: number[] = []
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      await onPhone(browser, async ({ page }) => {
        await page.route('**/api/news/getList', (route) => route.fulfill({ contentType: 'application/json', body: answer }))
        await page.addInitScript(() => {
          const look = () => {
            if (document.querySelector('[data-node="row"]')) setTimeout(() => (window.liveAt = performance.now()))
            else requestAnimationFrame(look)
          }
          requestAnimationFrame(look)
        })
        await page.goto(stub.origin)
        await page.waitForFunction(() => window.liveAt)
        await page.waitForTimeout(1_000)
        rowsSeen.push(await page.locator('[data-node="row"]').count())
        times.push(
          await page.evaluate(() => {
            const [call] = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/api/news/getList'))
            return window.liveAt! - (call as PerformanceResourceTiming).responseEnd
          }),
        )
      })
    }
    return [
      atMost('10,000 rows: row elements in the page', Math.max(...rowsSeen), 60, ''),
      atMost('10,000 rows: from the answer to the first rows', median(times), 400, ' ms', spread(times)),
    ]
  } finally {
    await send({ method: 'DELETE' })
  }
}
