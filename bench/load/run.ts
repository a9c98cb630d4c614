import { join } from 'node:path'
import { atMost, type Bar, option, report, short, wanted } from '#bench/bars.ts'
import { buildHandwritten, engineSize } from '#bench/load/build.ts'
import { bigForm } from '#bench/load/form.ts'
import { heap } from '#bench/load/heap.ts'
import { bigScreen, home, market, type Stage, tap } from '#bench/load/parts.ts'
import { openBrowser } from '#bench/load/phone.ts'
import { preview } from '#bench/load/preview.ts'
import { startStub } from '#bench/load/stub.ts'
import { ticket } from '#bench/load/ticket.ts'
import { newDataDir, removeDir, startProduct } from '#bench/product.ts'

/**
 * Compares the built product with a handwritten page, in Chromium at a quarter of the machine's speed: `npm run bench:load [-- --rounds=7
 * --seconds=10 --only=size,home,market,ticket,tap,big,form,heap,preview --heap=10 --strict]`. `--heap`: minutes of the heap measurement; a day of
 * ticks takes ten.
 */
const rounds = option('rounds', 7)
const seconds = option('seconds', 10)
const heapMinutes = option('heap', 1.5)
const modulesNamed = 12
const bars: Bar[] = []

if (wanted('size')) {
  const { bytes, modules } = await engineSize()
  const biggest = modules.slice(0, modulesNamed).map(({ name, gzip }) => `${name} ${short(gzip / 1_000)}`)
  bars.push(atMost('engine without packages and widgets, gzip', bytes / 1_000, 30, ' kB'))
  console.log(`biggest modules of the engine, kB gzip each: ${biggest.join(', ')}`)
}

const dir = newDataDir()
const handwritten = join(dir, 'handwritten')
await buildHandwritten(handwritten)
const product = await startProduct(join(dir, 'data'), { TEST_HOOKS: '1' })
const stub = await startStub(product.origin, handwritten)
const browser = await openBrowser()
try {
  const stage: Stage = { browser, stub, rounds }
  if (wanted('home')) bars.push(...(await home(stage)))
  if (wanted('market')) bars.push(...(await market(stage, product.origin, seconds)))
  if (wanted('ticket')) bars.push(...(await ticket(stage, product.origin, seconds)))
  if (wanted('tap')) bars.push(...(await tap(stage)))
  if (wanted('big')) bars.push(...(await bigScreen(stage)))
  if (wanted('form')) bars.push(...(await bigForm(stage)))
  if (wanted('preview')) bars.push(...(await preview(browser, product.origin)))
  if (wanted('heap')) bars.push(...(await heap(stage, product.origin, heapMinutes)))
} finally {
  await browser.close()
  await stub.close()
  await product.stop()
  removeDir(dir)
}
report('first load and life', bars, 'npm run bench:load')
