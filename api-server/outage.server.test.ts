import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrations } from '#api-server/migrations.ts'
import { openDatabase } from '#server-kit/db/open-database.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { migratedUrl, sharedDatabases } from '#tests/support/databases/engines.ts'
import { postgresMissing, type TestPostgres } from '#tests/support/databases/postgres.ts'
import { startApi, type TestApi } from '#tests/support/servers/api.ts'
import { envelopeOf, refusal } from '#tests/support/servers/envelope.ts'
import { type Cable, layCable } from '#tests/support/servers/proxy.ts'

const missing = postgresMissing()
if (missing) console.error(`\n!!! an outage of PostgreSQL: NOT RUN: ${missing}\n`)

describe.skipIf(missing)('without PostgreSQL', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tessera-outage-'))
  let databases: Pick<TestPostgres, 'freshUrl' | 'stop'>
  let cable: Cable
  let api: TestApi
  let straight: string
  beforeAll(async () => {
    databases = sharedDatabases()
    straight = await databases.freshUrl(await migratedUrl())
    const url = new URL(straight)
    cable = await layCable(`http://${url.host}`)
    url.host = new URL(cable.origin).host
    api = await startApi({ place: { dataDir, databaseUrl: url.href } })
  })
  afterAll(async () => {
    cable?.mend()
    await api?.close()
    await cable?.close()
    await databases?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  test('reads and money calls answer busy with a time to retry, and work again afterwards', async () => {
    const who = envelopeOf(await api.post('/test/user')).data as { token: string; uid: number }
    await api.post('/test/credit', { user: String(who.uid), account: 'change', currency: 'USDT', amount: '10' })
    const headers = { authorization: who.token, 'idempotency-key': randomUUID() }
    const transfer = () => api.post('/api/wallet/transfer', { from: 'change', to: 'lever', currency_id: '3', amount: '4' }, headers)
    cable.cut()
    for (const ask of [() => api.get('/api/user/info', { authorization: who.token }), transfer]) {
      const answer = await ask()
      expect(refusal(answer)).toBe('503 busy')
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    }
    expect((await api.get('/health')).status).toBe(503)
    cable.mend()
    await expect.poll(async () => envelopeOf(await transfer()).code).toBe(1)
  })

  test('a transfer interrupted before its commit has not happened; its key works afterwards', async () => {
    const who = envelopeOf(await api.post('/test/user')).data as { token: string; uid: number }
    await api.post('/test/credit', { user: String(who.uid), account: 'change', currency: 'USDT', amount: '10' })
    const headers = { authorization: who.token, 'idempotency-key': randomUUID() }
    const transfer = () => api.post('/api/wallet/transfer', { from: 'change', to: 'lever', currency_id: '3', amount: '4' }, headers)
    const beside = await openDatabase({ dataDir, databaseUrl: straight, log: createLog('silent'), onFatal: () => {}, migrations })
    try {
      // Of pg_stat_activity a transaction sees what was there when it first looked.
      const waits = sql<{
        n: number
      }>`select count(*)::int as n from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))`
      const cut = await beside.transaction(async (tx) => {
        await sql`select from ledger_account where uid = ${who.uid} for update`.execute(tx)
        const asked = transfer()
        await expect.poll(async () => (await waits.execute(tx)).rows[0]!.n).toBeGreaterThan(0)
        cable.cut()
        return asked
      })
      expect(refusal(cut)).toMatch(/^503 (?:busy|outcome_unknown)$/)
      cable.mend()
      await expect.poll(async () => envelopeOf(await transfer()).code).toBe(1)
      const held = await sql<{
        balance: string
      }>`select balance from ledger_account where uid = ${who.uid} and kind = 'change' and part = 'available'`.execute(beside.db)
      expect(Number(held.rows[0]!.balance)).toBe(6)
    } finally {
      await beside.close()
    }
  })
})
