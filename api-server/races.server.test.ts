import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hash } from '@node-rs/argon2'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { onPostgres } from '#tests/support/databases/on-postgres.ts'
import { bearing, dataOf, type Made, makeUser } from '#tests/support/people/accounts.ts'
import { startApi, type TestApi } from '#tests/support/servers/api.ts'

const many = <T>(count: number, one: (i: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => one(i)))
const pause = (ms: number) => new Promise((wake) => setTimeout(wake, ms))

onPostgres('two nodes', ({ url }) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tessera-races-'))
  let nodes: TestApi[] = []
  let user: Made
  const node = (i: number) => nodes[i % nodes.length]!
  const post = (i: number, path: string, fields: Record<string, string> = {}, who = user) => node(i).post(path, fields, bearing(who.token))
  const column = async <C extends 'nickname' | 'signature' | 'head_portrait' | 'password_hash'>(name: C) => {
    const row = await node(0).database.db.selectFrom('account').selectAll().where('id', '=', user.uid).executeTakeFirstOrThrow()
    return row[name]
  }
  beforeAll(async () => {
    const place = { dataDir, databaseUrl: await url() }
    nodes = await many(2, () => startApi({ place }))
    user = await makeUser(node(0))
  })
  afterAll(async () => {
    for (const one of nodes) await one.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  test('two servers that start at once on an empty database both serve, with one key, and seed it once', async () => {
    const { db } = node(0).database
    const count = async (table: 'currency' | 'setting') =>
      Number(
        (
          await db
            .selectFrom(table)
            .select(({ fn }) => fn.countAll().as('n'))
            .executeTakeFirstOrThrow()
        ).n,
      )
    expect(await count('currency')).toBeGreaterThan(3)
    const coins = await db.selectFrom('terms').select('key').where('product', '=', 'coin').execute()
    expect(coins.length).toBe(await count('currency'))
    expect(await count('setting')).toBeGreaterThan(3)
    for (const answer of await many(4, (i) => node(i).get('/api/wallet/getRateCurrency'))) expect(dataOf(answer).list).not.toEqual([])
  })

  test('concurrent changes of name and signature: neither is lost', async () => {
    for (let round = 0; round < 12; round++) {
      const [nickname, signature] = [`Ann ${round}`, `said ${round}`]
      await Promise.all([post(0, '/api/user/editNickname', { nickname }), post(1, '/api/user/editNickname', { signature })])
      expect([await column('nickname'), await column('signature')]).toEqual([nickname, signature])
    }
  })

  test('concurrent requests for a second factor get one secret, which is the stored one', async () => {
    for (let round = 0; round < 3; round++) {
      const who = await makeUser(node(0))
      const secrets = await many(6, async (i) => String(dataOf(await post(i, '/api/user/totpSetup', {}, who)).secret))
      secrets.push(String(dataOf(await post(0, '/api/user/totpSetup', {}, who)).secret))
      expect(new Set(secrets).size).toBe(1)
    }
  })

  test('a concurrent login that renews the hash of the old password does not restore it over a new one', async () => {
    const dated = await hash(user.password, { memoryCost: 8_192, timeCost: 1, parallelism: 1 })
    const fresh = await hash('another-river-9753', { memoryCost: 47_104, timeCost: 1, parallelism: 1 })
    const set = (password_hash: string) =>
      node(1).database.db.updateTable('account').set({ password_hash }).where('id', '=', user.uid).execute()
    const login = (i: number) => node(i).post('/api/user/login', { username: user.username, password: user.password, device: user.device })
    for (let round = 0; round < 10; round++) {
      await set(dated)
      const logins = many(2, login)
      await pause(round * 6)
      await set(fresh)
      for (const { status } of await logins) expect([200, 403, 429]).toContain(status)
      expect(await column('password_hash')).toBe(fresh)
    }
    // Two concurrent logins that renew the hash both succeed.
    await set(dated)
    await node(0).database.db.deleteFrom('guard').execute()
    for (const { status } of await many(2, login)) expect(status).toBe(200)
  })

  test('while two profile pictures alternate, the shown picture always exists', async () => {
    const { db } = node(0).database
    const name = () => randomBytes(20).toString('hex')
    const about = { uid: user.uid, purpose: 'draft', kind: 'png', width: 1, height: 1, bytes: 1, sha256: 'x', created_at: 1 } as const
    for (let round = 0; round < 8; round++) {
      const names = Array.from({ length: 3 }, name)
      await db
        .insertInto('upload')
        .values(names.map((one) => ({ ...about, name: one, claimed_at: null, mark: null })))
        .execute()
      const answers = await many(12, (i) => post(i, '/api/user/uploadHeadPortrait', { url: `/api/upload/${names[i % 3]}` }))
      for (const { status } of answers) expect([200, 404]).toContain(status)
      const shown = (await column('head_portrait')).split('/').at(-1)!
      expect(await db.selectFrom('upload').select('name').where('uid', '=', user.uid).execute()).toEqual([{ name: shown }])
    }
  })
})
