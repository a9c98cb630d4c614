import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, inject } from 'vitest'
import { layEmptyDatabase } from '#tests/support/databases/empty-database.ts'
import { standInFor } from '#tests/support/databases/engines.ts'
import { freePort } from '#tests/support/servers/free-port.ts'
import { type Product, startProduct } from '#tests/support/servers/product.ts'

/** The built product with test hooks. */
export interface App {
  readonly origin: string
  /** Publishes documents without checks over those of the files; null removes one. Keys: `screen/home.home`. */
  force(documents: Record<string, unknown>): Promise<void>
  /** Restores the documents of the files. */
  restore(): Promise<void>
  /** Pushes one price; the app must run with FEED=manual. */
  tick(symbol: string, price: string, size?: string): Promise<void>
}

/** A product for one test file: own port, own data. */
interface OwnApp extends App {
  /** Output of the server since its start. */
  output(): string
  /** Stops the server; data and port stay for `up`. */
  down(): Promise<void>
  up(): Promise<void>
}

interface Place {
  data: string
  database: string | undefined
}

const ownFolder = join(tmpdir(), 'tessera-e2e-')

/** A copy of the data of a first start, in a folder of its own. */
async function copyOfFirstStart(folder = ownFolder): Promise<Place> {
  const data = await mkdtemp(folder)
  const copied = inject('firstStartDatabase')
  const database = await standInFor(data, copied === undefined ? undefined : new URL(copied))
  await cp(inject('firstStart'), data, { recursive: true })
  return { data, database }
}

async function emptyPlace(): Promise<Place> {
  const data = await mkdtemp(ownFolder)
  const database = await standInFor(data)
  if (database === undefined) layEmptyDatabase(data)
  return { data, database }
}

const startAt = ({ data, database }: Place, env: Record<string, string>, port: string) =>
  startProduct({ TEST_HOOKS: '1', ...env, ...(database && { DATABASE_URL: database }), DATA_DIR: data, PORT: port })

async function send(origin: string, path: string, init: RequestInit): Promise<void> {
  const answer = await fetch(origin + path, init)
  const text = await answer.text()
  if (!answer.ok || /"code":(?!1\b)\d/.test(text)) throw new Error(`${init.method} ${path}: ${answer.status} ${text}`)
}

/** Controls of a product whose documents a test changes. */
function controls(originNow: () => string): Pick<OwnApp, 'origin' | 'tick' | 'force' | 'restore'> {
  return {
    get origin() {
      return originNow()
    },
    tick: (symbol, price, size) =>
      send(originNow(), '/test/tick', {
        method: 'POST',
        body: new URLSearchParams({ symbol, price, ...(size !== undefined && { size }) }),
      }),
    force: (documents) =>
      send(originNow(), '/test/release', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ documents }),
      }),
    restore: () => send(originNow(), '/test/release', { method: 'DELETE' }),
  }
}

type Feed = 'simulator' | 'manual'
const ofWorker = new Map<Feed, Promise<Product>>()

/** Starts a product of this worker. Workers are not notified of their end, so the set-up of the project stops the product after it. */
async function startForWorker(feed: Feed): Promise<Product> {
  const place = await copyOfFirstStart(join(inject('workerProducts'), 'data-'))
  const product = await startAt(place, { FEED: feed }, '0')
  await writeFile(join(inject('workerProducts'), `${product.process.pid}.pid`), String(process.pid))
  return product
}

/**
 * The product of this worker, which its files use one after the other: no other file uses it at the same time, and after each file the documents
 * are restored. A test creates its own customers and changes nothing else that other tests see.
 * @param feed `manual` for prices that only the tests move, and push where they need them
 */
export function useApp(feed: Feed = 'simulator'): App {
  let origin = ''
  const app = controls(() => origin)
  beforeAll(async () => {
    const product = ofWorker.get(feed) ?? startForWorker(feed)
    ofWorker.set(feed, product)
    origin = (await product).origin
  })
  afterAll(() => app.restore())
  return app
}

/**
 * Starts a product before the tests of a file and stops it after them: for tests that move prices, stop the server, check the first start
 * or need settings of their own.
 * @param env settings; without any but the feed, the product has the data of a first start
 */
export function useOwnApp(env: Record<string, string> = {}): OwnApp {
  let place: Place
  let product: Product | undefined
  let origin = ''
  const start = async (port: string) => {
    product = await startAt(place, env, port)
    origin = product.origin
  }
  const down = async () => {
    await product?.stop()
    product = undefined
  }
  beforeAll(async () => {
    place = await (Object.keys(env).every((name) => name === 'FEED') ? copyOfFirstStart() : emptyPlace())
    // A port that nothing else takes between `down` and `up`.
    await start(String(await freePort()))
  })
  afterAll(async () => {
    await down()
    await rm(place.data, { recursive: true, force: true })
  })
  return Object.assign(
    controls(() => origin),
    { output: () => product?.output() ?? '', down, up: () => start(new URL(origin).port) },
  )
}
