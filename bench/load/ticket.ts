import { atLeast, atMost, type Bar, median, spread, told } from '#bench/bars.ts'
import { interleave, type Stage } from '#bench/load/parts.ts'
import { onPhone } from '#bench/load/phone.ts'
import { watchStorm } from '#bench/load/probes.ts'
import { createPoster } from '#bench/server/poster.ts'

const symbol = 'BTCUSDT'
const updatesPerSecond = 500
const keys = '1234567'

/** Runs in the page: the time from each key to the next paint. */
function watchTimes(): void {
  const times: number[] = []
  Object.assign(window, { times })
  addEventListener('keydown', ({ timeStamp }) => requestAnimationFrame(() => setTimeout(() => times.push(performance.now() - timeStamp))), {
    capture: true,
  })
}

/** The ticket of a contract while its price and its book change: frames, and the time from a key to its paint. */
export async function ticket({ browser, stub, rounds }: Stage, productOrigin: string, seconds: number): Promise<Bar[]> {
  const api = createPoster(productOrigin)
  const { uid, token } = await api.post<{ uid: number; token: string }>('/test/user', {})
  await api.post('/test/credit', { user: String(uid), account: 'lever', currency: '3', amount: '100000' })
  api.close()
  await stub.flood([symbol], updatesPerSecond)
  const localStorage = Object.entries({ version: '1', token }).map(([name, value]) => ({ name: `tessera.${name}`, value }))
  const one = (path: string) =>
    onPhone(
      browser,
      async ({ page }) => {
        await page.goto(`${stub.origin}${path}#/pages/transaction/contract?symbol=${symbol}`)
        await page.waitForSelector('[data-node="book"] [data-side="bids"] button >> nth=7')
        const lots = page.locator('[name=lots]')
        await lots.fill('1')
        await page.waitForTimeout(3_000)
        await page.evaluate(watchStorm)
        await page.waitForTimeout(seconds * 1_000)
        const { frames, longTasks } = await page.evaluate(() => ({ frames: window.storm!.frames, longTasks: window.storm!.longTasks }))
        await page.evaluate(watchTimes)
        await lots.focus()
        for (let turn = 0; turn < 3; turn++)
          for (const key of [...keys, ...Array<string>(keys.length).fill('Backspace')]) {
            await page.keyboard.press(key)
            await page.waitForTimeout(120)
          }
        return { frames, longTasks, times: await page.evaluate(() => (window as unknown as { times: number[] }).times) }
      },
      { cookies: [], origins: [{ origin: stub.origin, localStorage }] },
    )
  const [ours, theirs] = await interleave(rounds, one)
  stub.forward()
  const frames = (list: typeof ours) => list.map((each) => each.frames / seconds)
  const p95 = (list: typeof ours) => {
    const sorted = list.flatMap(({ times }) => times).sort((a, b) => a - b)
    return sorted[Math.ceil(sorted.length * 0.95) - 1]!
  }
  const all = (list: typeof ours) => list.flatMap(({ times }) => times)
  const name = `contract ticket, ${updatesPerSecond} updates/s`
  return [
    atLeast(
      `${name}: frames to handwritten`,
      median(frames(ours)) / median(frames(theirs)),
      0.95,
      ' ×',
      `${spread(frames(ours))} to ${spread(frames(theirs))} a second`,
    ),
    atMost(`${name}: key to paint, p95`, p95(ours), 50, ' ms', `median ${spread(all(ours))}; handwritten p95 ${p95(theirs).toFixed(1)}`),
    told(`${name}: longest task`, `${Math.max(0, ...ours.flatMap((each) => each.longTasks))} ms`),
  ]
}
