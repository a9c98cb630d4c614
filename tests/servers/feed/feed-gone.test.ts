import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { marketMigrations } from '#api-server/market/market.migration.ts'
import { topicNames } from '#contract/topics.ts'
import type { Database } from '#server-kit/db/db.ts'
import { leaseMigration } from '#server-kit/ops/lease.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { createPresence, type Presence, presenceLimits } from '#server-kit/ops/presence.ts'
import { onPostgres } from '#tests/support/databases/on-postgres.ts'
import { eventually } from '#tests/support/eventually.ts'
import { openFeed } from '#tests/support/feed/feed-client.ts'
import { person } from '#tests/support/people/people.ts'
import { natsMissing, startNats, type TestNats } from '#tests/support/servers/nats.ts'
import { type Product, startProduct } from '#tests/support/servers/product.ts'

const log = createLog('silent')

onPostgres('nodes that watch each other', (postgres) => {
  const limits = presenceLimits as { everyMs: number; goneAfterMs: number }
  const usual = { ...presenceLimits }
  // So long that a process which stands still for a moment is not taken for gone; the test ends what it waits for.
  beforeAll(() => void Object.assign(limits, { everyMs: 20, goneAfterMs: 600_000 }))
  afterAll(() => void Object.assign(limits, usual))

  test('a node that signs off is not missed; of one that does not, one of the others hears once', async () => {
    const database = await postgres.open([...marketMigrations, leaseMigration])
    const heard: string[] = []
    const made: Presence[] = []
    const start = (name: string, db: Database['db'] = database.db) => {
      const one = createPresence({ database: { db }, log, gone: () => heard.push(name) })
      made.push(one)
      one.start()
      return one
    }
    let isCut = false
    /** The database, until the connection of this node is cut. */
    const cut = new Proxy(database.db, {
      get(db, name) {
        if (isCut) throw new Error('the connection is cut')
        const member: unknown = Reflect.get(db, name)
        return typeof member === 'function' ? member.bind(db) : member
      },
    })
    const names = async () => {
      const rows = await database.db.selectFrom('lease').select('name').where('name', 'like', 'node:%').execute()
      return rows.map(({ name }) => name)
    }
    const known = async () => (await names()).length
    const first = start('first')
    start('second')
    start('third')
    await eventually(known).toBe(3)
    await first.stop()
    expect(await known()).toBe(2)
    const others = await names()
    start('cut off', cut)
    await eventually(known).toBe(3)
    isCut = true
    const [own] = (await names()).filter((name) => !others.includes(name))
    // Again and again: what it had asked before it was cut off may be done later.
    await eventually(async () => {
      await database.db.updateTable('lease').set({ until: 1 }).where('name', '=', own!).execute()
      return heard.length
    }).toBe(1)
    expect(await known()).toBe(2)
    // It was away and is back: it counts again.
    isCut = false
    await eventually(known).toBe(3)
    for (const one of made.slice(1)) await one.stop()
    expect([await known(), heard.length, heard.includes('first'), heard.includes('cut off')]).toEqual([0, 1, false, false])
  })
})

const missing = natsMissing()
if (missing) console.error(`\n!!! a node that is killed: NOT RUN: ${missing}\n`)

onPostgres('customers of the node that is left', (postgres) => {
  let nats: TestNats | undefined
  const products: Product[] = []
  afterAll(async () => {
    for (const product of products) await product.stop()
    await nats?.stop()
  })

  const title = 'they are told to load everything again when the other node is killed'
  test.skipIf(missing !== undefined)(title, { tags: 'full' }, async () => {
    nats = await startNats()
    const DATABASE_URL = await postgres.url()
    const env = { TEST_HOOKS: '1', FEED: 'manual', NATS_URL: nats.url, DATABASE_URL, SECRET_KEY: 'nodes that watch each other, in a test' }
    const start = async () => {
      const product = await startProduct(env)
      products.push(product)
      return product
    }
    const left = await start()
    const database = new pg.Client(DATABASE_URL)
    await database.connect()
    const known = async () => (await database.query("select name from lease where name like 'node:%'")).rowCount
    const { token } = await person(left.origin)
    const client = await openFeed(`${left.origin.replace('http', 'ws')}/ws`)
    client.send({ action: 'checkToken', v: 2, caps: ['private', 'rows'], token })
    await client.next(({ action }) => action === 'checkToken')
    const heard = (topic: string) => client.messages.some(({ action }) => action === topic)

    const ends = await start()
    await eventually(known).toBe(2)
    expect(await ends.stop()).toBe(0)
    await eventually(known).toBe(1)
    const killed = await start()
    await eventually(known).toBe(2)
    client.clear()
    killed.process.kill('SIGKILL')
    await killed.ended
    await eventually(() => topicNames.every(heard)).toBe(true)
    await eventually(known).toBe(1)
    client.socket.close()
    await database.end()
  })
})
