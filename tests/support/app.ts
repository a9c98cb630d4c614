import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, inject } from 'vitest'
import { layEmptyDatabase } from '#tests/support/empty-database.ts'
import { standInFor } from '#tests/support/engines.ts'
import { type Product, startProduct } from '#tests/support/product.ts'

/** The built product with open test hooks. */
export interface App {
  readonly origin: string
}

/** A product of one test file: own port, own data. */
export interface OwnApp extends App {
  /** What the server printed since it was started. */
  output(): string
  /** Pushes one price; the app must run with FEED=manual. */
  tick(symbol: string, price: string, size?: string): Promise<void>
  /** Publishes documents unchecked over those of the files; null takes one away. Keys: `screen/home.home`. */
  force(documents: Record<string, unknown>): Promise<void>
  /** Back to the files. */
  restore(): Promise<void>
  /** Ends the server; its data and port stay for `up`. */
  down(): Promise<void>
  up(): Promise<void>
}

/** The product that all files share. A test makes its own customers in it and changes nothing that others see. */
export function useApp(): App {
  return {
    get origin() {
      return inject('sharedProduct')
    },
  }
}

/**
 * Starts a product before the tests of a file and stops it after them: for tests that publish documents, move prices, stop the server or
 * need settings of their own.
 * @param env settings; without any, the product begins with the data of a first start
 */
export function useOwnApp(env: Record<string, string> = {}): OwnApp {
  let data: string
  let database: string | undefined
  let product: Product | undefined
  let origin = ''
  const start = async (port: string) => {
    product = await startProduct({ TEST_HOOKS: '1', ...env, ...(database && { DATABASE_URL: database }), DATA_DIR: data, PORT: port })
    origin = product.origin
  }
  const down = async () => {
    await product?.stop()
    product = undefined
  }
  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'tessera-e2e-'))
    const isCopy = Object.keys(env).length === 0
    database = await standInFor(data, isCopy ? inject('firstStartDatabase') : undefined)
    if (isCopy) await cp(inject('firstStart'), data, { recursive: true })
    else if (database === undefined) layEmptyDatabase(data)
    await start('0')
  })
  afterAll(async () => {
    await down()
    await rm(data, { recursive: true, force: true })
  })
  const send = async (path: string, init: RequestInit) => {
    const answer = await fetch(origin + path, init)
    const text = await answer.text()
    if (!answer.ok || /"code":(?!1\b)\d/.test(text)) throw new Error(`${init.method} ${path}: ${answer.status} ${text}`)
  }
  return {
    get origin() {
      return origin
    },
    output: () => product?.output() ?? '',
    tick: (symbol, price, size) =>
      send('/test/tick', { method: 'POST', body: new URLSearchParams({ symbol, price, ...(size !== undefined && { size }) }) }),
    force: (documents) =>
      send('/test/release', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ documents }),
      }),
    restore: () => send('/test/release', { method: 'DELETE' }),
    down,
    up: () => start(new URL(origin).port),
  }
}
