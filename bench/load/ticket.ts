import { atLeast, atMost, type Bar, median, reported, short, spread } from '#bench/bars.ts'
import { interleave, type Stage } from '#bench/load/parts.ts'
import { onPhone } from '#bench/load/phone.ts'
import { watchStorm } from '#bench/load/probes.ts'
import { createPoster } from '#bench/server/poster.ts'

const symbol = 'BTCUSDT'
const updatesPerSecond = 500
const typed = '1234567'

interface KeyTimes {
  /** Milliseconds from each key to the frame that shows what came of it, by the Event Timing of the browser: multiples of 8, at least 16. */
  toPaint: number[]
  /** Milliseconds from each key to the first task after the next frame. */
  toTask: number[]
}

/** Runs in the page. */
function watchTimes(): void {
  const keyTimes: KeyTimes = { toPaint: [], toTask: [] }
  Object.assign(window, { keyTimes })
  new PerformanceObserver((list) => {
    for (const { name, duration } of list.getEntries()) if (name === 'keydown') keyTimes.toPaint.push(duration)
  }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
  addEventListener(
    'keydown',
    ({ timeStamp }) => requestAnimationFrame(() => setTimeout(() => keyTimes.toTask.push(performance.now() - timeStamp))),
    { capture: true },
  )
}

/** @returns the times of all keys. A key that the browser does not report was painted in less than 16 ms */
function readTimes(): KeyTimes {
  const { toPaint, toTask } = (window as unknown as { keyTimes: KeyTimes }).keyTimes
  return { toPaint: [...toPaint, ...Array<number>(Math.max(0, toTask.length - toPaint.length)).fill(16)], toTask }
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
          for (const key of [...typed, ...Array<string>(typed.length).fill('Backspace')]) {
            await page.keyboard.press(key)
            await page.waitForTimeout(120)
          }
        return { frames, longTasks, times: await page.evaluate(readTimes) }
      },
      { cookies: [], origins: [{ origin: stub.origin, localStorage }] },
    )
  const [ours, theirs] = await interleave(rounds, one)
  stub.forward()
  const frames = (list: typeof ours) => list.map((each) => each.frames / seconds)
  const keys = (list: typeof ours, kind: keyof KeyTimes) => list.flatMap(({ times }) => times[kind]).sort((a, b) => a - b)
  const p95 = (times: number[]) => times[Math.ceil(times.length * 0.95) - 1]!
  const name = `contract ticket, ${updatesPerSecond} updates/s`
  return [
    atLeast(
      `${name}: frames to handwritten`,
      median(frames(ours)) / median(frames(theirs)),
      0.95,
      ' ×',
      `${spread(frames(ours))} to ${spread(frames(theirs))} a second`,
    ),
    atMost(
      `${name}: key to paint, p95`,
      p95(keys(ours, 'toPaint')),
      50,
      ' ms',
      `median ${spread(keys(ours, 'toPaint'))}; handwritten p95 ${short(p95(keys(theirs, 'toPaint')))}`,
    ),
    reported(
      `${name}: key to the task after the next frame, p95`,
      `${short(p95(keys(ours, 'toTask')))} ms; handwritten ${short(p95(keys(theirs, 'toTask')))}`,
    ),
    reported(`${name}: longest task`, `${Math.max(0, ...ours.flatMap((each) => each.longTasks))} ms`),
  ]
}
