import { atMost, type Bar, short } from '#bench/bars.ts'
import type { Stage } from '#bench/load/parts.ts'
import { onPhone } from '#bench/load/phone.ts'
import type { Listing } from '#contract/calls/market.calls.ts'
import { feedLimits } from '#contract/feed.ts'

const dayMs = 86_400_000
/** Time for one day of the simulator's ticks; a shorter run covers a part of the day at the same rate. */
const dayInMs = 600_000
const warmUpMs = 10_000
const points = 6

/** Measures the heap after garbage collection during a day of ticks, with all symbols on screen. */
export async function heap({ browser, stub }: Stage, productOrigin: string, minutes: number): Promise<Bar[]> {
  const { data } = (await (await fetch(`${productOrigin}/api/market/quotation`)).json()) as { data: { list: Listing[] } }
  const symbols = data.list.map(({ symbol }) => symbol)
  const ticksOfDay = (dayMs / feedLimits.gatherMs) * symbols.length
  await stub.flood(symbols, (ticksOfDay / dayInMs) * 1_000)
  const used = await onPhone(browser, async ({ page, cdp }) => {
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 })
    await page.goto(`${stub.origin}/#/pages/market/market`)
    await page.waitForSelector('li[data-key] >> nth=20')
    await page.waitForTimeout(warmUpMs)
    const all: number[] = []
    for (let i = 0; i < points; i++) {
      if (i > 0) await page.waitForTimeout((minutes * 60_000) / (points - 1))
      for (let pass = 0; pass < 3; pass++) await cdp.send('HeapProfiler.collectGarbage')
      all.push((await cdp.send('Runtime.getHeapUsage')).usedSize / 1e6)
    }
    return all
  })
  stub.forward()
  const hours = short((24 * minutes * 60_000) / dayInMs)
  return [atMost(`heap over ${hours} h of ticks`, Math.max(...used) - used[0]!, 5, ' MB', `${used.map(short).join(', ')} MB`)]
}
