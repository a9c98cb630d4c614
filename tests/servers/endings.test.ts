import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoAccount } from '#api-server/account/demo.ts'
import { layEmptyDatabase } from '#tests/support/databases/empty-database.ts'
import { ask } from '#tests/support/servers/http.ts'
import { launch, type Product, startProduct } from '#tests/support/servers/product.ts'

/** The built product: killed during its first start, started twice on one folder, and stopped while money moves. */

const folder = () => mkdtempSync(join(tmpdir(), 'tessera-endings-'))
const DATA_DIR = folder()
const env = { DATA_DIR, TEST_HOOKS: '1' }
const startMsMax = 120_000
let running: Product | undefined
beforeAll(async () => {
  layEmptyDatabase(DATA_DIR)
  running = await startProduct(env, startMsMax)
})
afterAll(async () => {
  await running?.stop()
  rmSync(DATA_DIR, { recursive: true, force: true })
})

async function post<T>(
  { origin }: Product,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<T> {
  const body = new URLSearchParams(fields).toString()
  const type = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(Buffer.byteLength(body)) }
  const answer = await ask(origin, path, { method: 'POST', headers: { ...type, ...headers }, body })
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`)
  return answer.json<{ data: T }>().data
}

test('killed after creating its tables, the server fills them once at the next start', { tags: 'full' }, async () => {
  const env = { DATA_DIR: folder(), TEST_HOOKS: '1' }
  const marker = join(env.DATA_DIR, 'tessera-marker.json')
  const first = await launch(env)
  await expect
    .poll(() => existsSync(marker) && readFileSync(marker, 'utf8').includes('ready'), { timeout: startMsMax, interval: 2 })
    .toBe(true)
  first.process.kill('SIGKILL')
  await first.stop()
  const again = await startProduct(env, startMsMax)
  const { token } = await post<{ token: string }>(again, '/api/user/login', {
    username: demoAccount.username,
    password: demoAccount.password,
  })
  const { accounts } = await post<{ accounts: { kind: string; usd: string }[] }>(
    again,
    '/api/wallet/getWalletInfo',
    {},
    {
      authorization: token,
    },
  )
  expect(accounts.find(({ kind }) => kind === 'lever')?.usd).toBe('10500')
  const { list } = (await ask(again.origin, '/api/currency/list')).json<{ data: { list: unknown[] } }>().data
  expect(list.length).toBeGreaterThan(5)
  await again.stop()
  rmSync(env.DATA_DIR, { recursive: true, force: true })
})

test('a second process on the folder exits and names the first, which continues', async () => {
  const second = await launch({ ...env, PORT: '0' })
  expect(await second.ended).toBe(1)
  expect(second.errors()).toContain(`process ${running!.process.pid}`)
  expect(second.errors()).not.toMatch(/\n\s+at /)
  expect(second.output()).not.toMatch(/^ready/m)
  expect((await ask(running!.origin, '/health')).json()).toMatchObject({ status: 'ok', database: 'up' })
  await second.stop()
})

test('stopped while money moves: acknowledged transfers exist after the restart, others are known by key', async () => {
  const made = await post<{ token: string; uid: number }>(running!, '/test/user', { level: '1' })
  const headers = { authorization: made.token }
  await post(running!, '/test/credit', { user: String(made.uid), currency: 'USDT', amount: '1000' })
  const acknowledged = new Map<string, string>()
  const unknown = new Set<string>()
  let over = false
  const fields = { currency_id: '3', from: 'change', to: 'lever', amount: '0.01' }
  const client = async () => {
    while (!over) {
      const key = randomUUID()
      unknown.add(key)
      try {
        const { id } = await post<{ id: number }>(running!, '/api/wallet/transfer', fields, { ...headers, 'idempotency-key': key })
        acknowledged.set(key, String(id))
        unknown.delete(key)
      } catch {
        return
      }
    }
  }
  const clients = Promise.all(Array.from({ length: 8 }, client))
  await expect.poll(() => acknowledged.size, { interval: 5 }).toBeGreaterThan(40)
  running!.process.kill('SIGTERM')
  expect(await running!.ended).toBe(0)
  over = true
  await clients
  expect(running!.errors()).toBe('')

  running = await startProduct(env, startMsMax)
  const page = (n: number) => ask(running!.origin, `/api/wallet/hzhistory?size=100&page=${n}`, { headers })
  const stored = new Set<string>()
  for (let n = 1; ; n++) {
    const { list } = (await page(n)).json<{ data: { list: { id: number }[] } }>().data
    for (const { id } of list) stored.add(String(id))
    if (list.length < 100) break
  }
  expect([...acknowledged.values()].filter((id) => !stored.has(id))).toEqual([])
  let done = 0
  for (const key of unknown) {
    const answer = await ask(running.origin, `/api/user/outcome?key=${key}`, { headers })
    const { state } = answer.json<{ data: { state: string } }>().data
    expect(['done', 'unknown']).toContain(state)
    if (state === 'done') done++
  }
  expect(stored.size).toBe(acknowledged.size + done)
})

test('a folder with a missing part is refused with a message, and nothing is created in its place', async () => {
  await running!.stop()
  running = undefined
  const part = join(DATA_DIR, 'pg', 'PG_VERSION')
  renameSync(part, `${part}.lost`)
  const before = readdirSync(DATA_DIR, { recursive: true }).sort()
  const refused = await launch(env)
  expect(await refused.ended).toBe(1)
  expect(refused.errors()).toMatch(/damaged.*PG_VERSION.*Nothing was changed/)
  expect(refused.errors()).not.toMatch(/\n\s+at /)
  expect(readdirSync(DATA_DIR, { recursive: true }).sort()).toEqual(before)
  await refused.stop()
})
