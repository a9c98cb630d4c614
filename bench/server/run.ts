import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { atLeast, atMost, type Bar, median, option, report, reported, short, spread, wanted } from '#bench/bars.ts'
import { newDataDir, projectRoot, type Running, removeDir, run, startProduct } from '#bench/product.ts'
import { back } from '#bench/server/back.ts'
import type { Recorded } from '#bench/server/bare.ts'
import { money } from '#bench/server/money.ts'
import { painted } from '#bench/server/painted.ts'
import { publishing } from '#bench/server/publish.ts'
import { fire, type Sample, type Target } from '#bench/server/rounds.ts'
import { sends } from '#bench/server/sends.ts'
import { readCatalog } from '#config-server/catalog.ts'
import { readSources } from '#config-server/files.ts'
import { parse } from '#language/documents/parse.ts'
import { lint } from '#language/lint/run.ts'

/**
 * Compares the servers with a bare Express handler: `npm run bench:server [-- --rounds=7 --seconds=3 --only=reads,publish,start,lint,sends,painted,
 * back,money --strict]`.
 */
const rounds = option('rounds', 7)
const seconds = option('seconds', 3)
const revalidations = 10_000
const browserHeaders = { 'accept-encoding': 'gzip, deflate, br, zstd', accept: '*/*' }
const bars: Bar[] = []

/** Headers that the HTTP layer of a server sets itself. */
const perAnswer = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])

async function record(origin: string, path: string): Promise<Recorded> {
  const { get } = await import('node:http')
  return new Promise((done, fail) => {
    get(origin + path, { headers: browserHeaders }, (res) => {
      const parts: Buffer[] = []
      res.on('data', (part: Buffer) => parts.push(part))
      res.on('end', () => {
        const headers = Object.fromEntries(
          Object.entries(res.headers).flatMap(([name, value]) => (perAnswer.has(name) ? [] : [[name, String(value)]])),
        )
        done({ path, headers, body: Buffer.concat(parts).toString('base64'), etag: res.headers.etag })
      })
    }).on('error', fail)
  })
}

/** Address (sha256) of the largest screen of the manifest. */
async function documentPath(origin: string): Promise<string> {
  const manifest = (await (await fetch(`${origin}/config/manifest?locale=en`)).json()) as { documents: Record<string, { sha256: string }> }
  const sha = manifest.documents['screen/home.home']?.sha256
  if (!sha) throw new Error('the manifest has no screen home.home')
  return `/config/documents/${sha}.json`
}

async function reads(): Promise<void> {
  const dir = newDataDir()
  const product = await startProduct(dir)
  let bare: Running | undefined
  try {
    const manifest = '/config/manifest?locale=en'
    const paths = {
      manifest,
      document: await documentPath(product.origin),
      all: '/api/market/quotation',
      home: '/api/market/getHomeQuotaList',
    }
    const recorded = await Promise.all(Object.values(paths).map((path) => record(product.origin, path)))
    const routes = recorded.map((one) => ({ ...one, path: one.path.split('?')[0]! }))
    const file = join(dir, 'recorded.json')
    writeFileSync(file, JSON.stringify(routes))
    bare = await run(['--import', 'tsx', join(projectRoot, 'bench/server/bare.ts'), file], {})
    const etag = recorded[0]!.etag!
    const target = (name: string, path: string, status = 200, more = {}): Target => ({
      name,
      path,
      status,
      headers: { ...browserHeaders, ...more },
    })
    const table: [Target, ratio: number, p99Ratio: number | undefined][] = [
      [target('manifest', paths.manifest), 0.7, 5],
      [target('manifest, revalidated', paths.manifest, 304, { 'if-none-match': etag }), 0.7, 5],
      [target('document', paths.document), 0.7, 5],
      [target('market/quotation', paths.all), 0.5, undefined],
      [target('market/getHomeQuotaList', paths.home), 0.5, undefined],
    ]
    const servers = [product, bare] as const
    for (const [one] of table) for (const server of servers) await fire(server.origin, server.pid, one, { seconds: 1 })
    const samples = new Map<Target, [ours: Sample[], bare: Sample[]]>(table.map(([one]) => [one, [[], []]]))
    let delayMs = 0
    for (let round = 0; round < rounds; round++) {
      for (const [one] of table) {
        // Each round begins with the other server.
        for (const which of round % 2 ? [1, 0] : [0, 1]) {
          samples.get(one)![which]!.push(await fire(servers[which]!.origin, servers[which]!.pid, one, { seconds }))
        }
      }
      delayMs = Math.max(delayMs, await eventLoopDelayMs(product.origin))
      console.error(`round ${round + 1} of ${rounds}`)
    }
    for (const [one, ratio, p99Ratio] of table) {
      const [ours, theirs] = samples.get(one)!
      const of = (list: Sample[], key: keyof Sample) => median(list.map((sample) => sample[key]))
      const speed = of(ours, 'perSecond') / of(theirs, 'perSecond')
      const rates = `${short(of(ours, 'perSecond'))} of ${short(of(theirs, 'perSecond'))} a second, ${short(of(ours, 'cpuUs'))} of ${short(of(theirs, 'cpuUs'))} µs CPU`
      bars.push(atLeast(`${one.name}: answers to bare Express`, speed, ratio, ' ×', rates))
      const tail = of(ours, 'p99Ms') / Math.max(1, of(theirs, 'p99Ms'))
      const tails = `${short(of(ours, 'p99Ms'))} of ${short(of(theirs, 'p99Ms'))} ms`
      bars.push(
        p99Ratio === undefined
          ? reported(`${one.name}: p99`, `${short(tail)} ×, ${tails}`)
          : atMost(`${one.name}: p99 to bare Express`, tail, p99Ratio, ' ×', tails),
      )
    }
    const again = await fire(product.origin, product.pid, table[1]![0], { amount: revalidations })
    const againBare = await fire(bare.origin, bare.pid, table[1]![0], { amount: revalidations })
    const cpu = again.cpuUs / againBare.cpuUs
    bars.push(
      atMost(
        `${again.answers} revalidations, all 304: CPU to bare Express`,
        cpu,
        1.43,
        ' ×',
        `${short(again.cpuUs)} µs each, ${short(again.bytes / again.answers)} bytes each`,
      ),
    )
    bars.push(reported('event loop delay under this load, p99, worst round', `${short(delayMs)} ms`))
  } finally {
    await Promise.all([product.stop(), bare?.stop()])
    removeDir(dir)
  }
}

async function eventLoopDelayMs(origin: string): Promise<number> {
  const text = await (await fetch(`${origin}/metrics`)).text()
  return Number(/^tessera_event_loop_delay_p99_seconds (\S+)/m.exec(text)?.[1] ?? Number.NaN) * 1_000
}

async function starts(): Promise<void> {
  const fresh: number[] = []
  const warm: number[] = []
  const start = (dir: string) => run([join(projectRoot, 'scripts/start.mjs')], { PORT: '0', DATA_DIR: dir, LOG_LEVEL: 'warn' })
  for (let i = 0; i < Math.min(5, rounds); i++) {
    const dir = newDataDir()
    try {
      for (const list of [fresh, warm]) {
        const server = await start(dir)
        list.push(server.startMs / 1_000)
        await server.stop()
      }
    } finally {
      removeDir(dir)
    }
  }
  bars.push(atMost('npm start, built, no data yet, to listening', median(fresh), 10, ' s', spread(fresh)))
  bars.push(atMost('npm start, built, with data, to listening', median(warm), 3, ' s', spread(warm)))
}

async function lintTime(): Promise<void> {
  const times: number[] = []
  let documents = 0
  for (let i = 0; i < 5; i++) {
    const from = performance.now()
    const [sources, catalog] = await Promise.all([readSources(projectRoot), readCatalog(projectRoot)])
    const parsed = parse(sources.files)
    lint(parsed.documents, sources.texts, catalog)
    times.push((performance.now() - from) / 1_000)
    documents = parsed.documents.length
  }
  bars.push(
    atMost(
      `reading and checking all ${documents} documents and texts, first time in a process`,
      times[0]!,
      2,
      ' s',
      `later ${spread(times.slice(1))}`,
    ),
  )
}

if (wanted('reads')) await reads()
if (wanted('publish')) bars.push(...(await publishing()))
if (wanted('start')) await starts()
if (wanted('lint')) await lintTime()
if (wanted('sends')) bars.push(...(await sends(Math.min(5, rounds))))
if (wanted('painted')) bars.push(...(await painted()))
if (wanted('back')) bars.push(...(await back()))
if (wanted('money')) bars.push(...(await money(Math.min(3, rounds), seconds)))
report('servers', bars, 'npm run bench:server')
