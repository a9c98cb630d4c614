import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database, Tables } from '#server-kit/db/db.ts'
import { createProbes } from '#server-kit/health/probes.ts'
import { createSecurity } from '#server-kit/http/security-headers.ts'

class Gone extends DummyDriver {
  override async acquireConnection(): Promise<never> {
    throw new Error('connection refused')
  }
}
const databaseOf = (Driver: typeof DummyDriver) =>
  ({
    db: new Kysely<Tables>({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => new Driver(),
        createIntrospector: (one) => new PostgresIntrospector(one),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
    }),
  }) as unknown as Database

const [up, down] = [databaseOf(DummyDriver), databaseOf(Gone)]
let probes: ReturnType<typeof createProbes>
const server = createServer((req, res) => {
  if (!probes(req, res)) res.writeHead(404).end()
})
let origin = ''
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

test.each<[string, { database?: Database; isDraining?: boolean; ledger?: 'sound' | 'broken' | 'unchecked' | undefined }, number, object]>([
  ['all well', {}, 200, { status: 'ready', draining: false, database: 'up', ledger: 'sound' }],
  ['a server without a ledger', { ledger: undefined }, 200, { status: 'ready', draining: false, database: 'up' }],
  ['draining', { isDraining: true }, 503, { status: 'not_ready', draining: true, database: 'up', ledger: 'sound' }],
  ['without its database', { database: down }, 503, { status: 'not_ready', draining: false, database: 'down', ledger: 'sound' }],
  ['with a broken ledger', { ledger: 'broken' }, 503, { status: 'not_ready', draining: false, database: 'up', ledger: 'broken' }],
  ['before the first audit', { ledger: 'unchecked' }, 503, { status: 'not_ready', draining: false, database: 'up', ledger: 'unchecked' }],
])('%s: alive, and ready or not', async (_name, given, status, body) => {
  const { database = up, isDraining = false, ledger } = { ledger: 'sound' as const, ...given }
  probes = createProbes({
    database,
    security: createSecurity({ trustProxy: [] }),
    isDraining: () => isDraining,
    ...(ledger && { ledger: () => ledger }),
  })
  const live = await fetch(`${origin}/live?from=kubelet`)
  expect([live.status, await live.json()]).toEqual([200, { status: 'alive' }])
  const ready = await fetch(`${origin}/ready`)
  expect([ready.status, await ready.json()]).toEqual([status, body])
  expect(ready.headers.get('x-content-type-options')).toBe('nosniff')
  expect((await fetch(`${origin}/readiness`)).status).toBe(404)
})
