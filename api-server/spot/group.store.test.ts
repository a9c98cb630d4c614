import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { migrations } from '#api-server/migrations.ts'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { onBothEngines } from '#tests/support/databases/engines.ts'
import { openSpotNode, type SpotNode, spotCoins } from '#tests/support/databases/spot-stage.ts'
import { refused } from '#tests/support/databases/wallet-stage.ts'

onBothEngines('spot orders that come together', (engine) => {
  let node: SpotNode
  let people = 510_000
  beforeAll(async () => {
    node = await openSpotNode(await engine.open(migrations))
    await node.spot.start()
  })
  afterEach(() => expectSoundMoney(node.database))
  afterAll(() => node.close())
  async function customer(usdt: string): Promise<number> {
    const uid = await node.user(++people)
    if (usdt !== '0') await node.credit(uid, 'USDT', usdt)
    return uid
  }
  const outcome = (asked: Promise<{ status: string }>) =>
    asked.then(
      ({ status }) => status,
      () => refused(asked),
    )
  const stateOf = (uid: number) =>
    node.database.db.selectFrom('spot_order').select(['status', 'cancelling']).where('uid', '=', uid).executeTakeFirst()
  /** Holds a balance as another node does. @returns lets it go */
  async function hold(uid: number, coin: keyof typeof spotCoins): Promise<() => Promise<void>> {
    let isHeld = () => {}
    let isOver = () => {}
    const held = new Promise<void>((done) => {
      isHeld = done
    })
    const over = new Promise<void>((done) => {
      isOver = done
    })
    const holding = node.database.transaction(async (tx) => {
      await node.balances.locked(tx, uid, 'change', spotCoins[coin])
      isHeld()
      await over
    })
    await held
    return () => {
      isOver()
      return holding
    }
  }
  /** How many transactions accepted the orders of these customers. */
  async function commits(uids: readonly number[]): Promise<number> {
    const { rows } = await sql<{ count: number }>`select count(distinct xmin::text)::int as count from ledger_event
      where kind = 'spot_order' and uid = any(${[...uids]}::bigint[])`.execute(node.database.db)
    return rows[0]!.count
  }

  test('one that is refused in the middle costs the others nothing', async () => {
    const rich = await Promise.all(Array.from({ length: 8 }, () => customer('1000')))
    const poor = await customer('1')
    const stranger = await node.user(++people, 'frozen')
    const asked = [...rich.slice(0, 4), poor, stranger, ...rich.slice(4)]
    const outcomes = await Promise.all(asked.map((uid) => outcome(node.order(uid, 'buy 0.01 at 49000'))))
    const open = Array.from({ length: 4 }, () => 'open')
    expect(outcomes).toEqual([...open, 'insufficient_balance', 'account_frozen', ...open])
    expect(await commits(rich)).toBeLessThan(rich.length)
    expect(await Promise.all(rich.map((uid) => node.has(uid, 'USDT')))).toEqual(rich.map(() => '510/490'))
    expect([await node.has(poor, 'USDT'), await commits([poor, stranger])]).toEqual(['1/0', 0])
  })

  test('equal keys have one effect and one answer, and another order under the key is refused', async () => {
    const [uid, others] = [await customer('1000'), await Promise.all([1, 2, 3].map(() => customer('1000')))]
    const twice = [1, 2].map(() => node.order(uid, 'buy 0.01 at 49000', {}, 'same'))
    const changed = outcome(node.order(uid, 'buy 0.02 at 49000', {}, 'same'))
    await Promise.all(others.map((one) => node.order(one, 'buy 0.01 at 49000', {}, 'same')))
    const [first, second] = await Promise.all(twice)
    expect(second).toEqual(first)
    expect(await changed).toBe('key_reused')
    expect(await node.has(uid, 'USDT')).toBe('510/490')
  })

  test.skipIf(engine.name === 'pglite')('an order that meets one whose balance another node holds is accepted, and waits', async () => {
    const [seller, buyer] = [await customer('0'), await customer('1000')]
    await node.credit(seller, 'BTC', '1')
    await node.order(seller, 'sell 0.01 at 50001')
    const letGo = await hold(seller, 'BTC')
    const bought = node.order(buyer, 'buy 0.01 at 50001')
    try {
      await expect.poll(() => stateOf(buyer)).toEqual({ status: 'new', cancelling: false })
    } finally {
      await letGo()
    }
    expect(await bought).toMatchObject({ status: 'filled' })
  })

  test('what is cancelled is out of the book with the answer, in one transaction; of two keys for one order both are done', async () => {
    const [one, other] = [await customer('2000'), await customer('1000')]
    const ids: number[] = []
    for (const price of ['49000', '49001', '49002']) ids.push((await node.order(one, `buy 0.01 at ${price}`)).id)
    const theirs = await node.order(other, 'buy 0.01 at 49003')
    const id = String(ids[0])
    const [first, second, all, strange] = await Promise.all([
      node.call('c2c.cancel', one, { id }, 'first'),
      node.call('c2c.cancel', one, { id }, 'second'),
      node.call('c2c.cancelAll', other, {}, 'all'),
      outcome(node.call('c2c.cancel', one, { id: String(theirs.id) })),
    ])
    expect([first.status, second.status, all, strange]).toEqual(['cancelled', 'cancelled', { cancelled: 1 }, 'order_unknown id'])
    expect(await node.call('c2c.cancelAll', one, {}, 'rest')).toEqual({ cancelled: 2 })
    expect([await node.has(one, 'USDT'), await node.has(other, 'USDT')]).toEqual(['2000/0', '1000/0'])
    const { rows } = await sql<{
      key: string
      together: boolean
    }>`select k.key, bool_and(e.xmin = k.xmin) as together from once_key k, ledger_event e
      where k.owner = ${`user:${one}`} and k.key = 'rest' and e.kind = 'spot_release' and e.source = any(${ids.slice(1).map((made) => `spot:${made}`)}::text[])
      group by k.key`.execute(node.database.db)
    expect(rows).toEqual([{ key: 'rest', together: true }])
    // The answer of the key, although an order has come since.
    const since = await node.order(one, 'buy 0.01 at 49000')
    expect(await node.call('c2c.cancelAll', one, {}, 'rest')).toEqual({ cancelled: 2 })
    expect(await node.call('c2c.cancel', one, { id: String(since.id) })).toMatchObject({ status: 'cancelled' })
  })

  test.skipIf(engine.name === 'pglite')('an order whose balance another node holds is cancelled once that is over', async () => {
    const uid = await customer('1000')
    const made = await node.order(uid, 'buy 0.01 at 49000')
    const letGo = await hold(uid, 'USDT')
    const cancelled = node.call('c2c.cancel', uid, { id: String(made.id) })
    try {
      await expect.poll(() => stateOf(uid)).toEqual({ status: 'open', cancelling: true })
    } finally {
      await letGo()
    }
    expect(await cancelled).toMatchObject({ status: 'cancelled' })
    expect(await node.has(uid, 'USDT')).toBe('1000/0')
  })

  test('two orders of one customer that are too much together', async () => {
    const uid = await customer('700')
    const outcomes = await Promise.all([1, 2].map(() => outcome(node.order(uid, 'buy 0.01 at 49000'))))
    expect(outcomes).toEqual(['open', 'insufficient_balance'])
    expect(await node.has(uid, 'USDT')).toBe('210/490')
  })

  test('where all cannot be committed each is tried alone', async () => {
    const uids = await Promise.all([1, 2, 3, 4].map(() => customer('1000')))
    const { db } = node.database
    await sql`alter table spot_order add constraint no_odd_price check (price is null or price <> 48999)`.execute(db)
    try {
      const prices = ['49000', '48999', '49001', '49002']
      const asked = uids.map((uid, at) => node.order(uid, `buy 0.01 at ${prices[at]}`, {}, `alone ${uid}`))
      const outcomes = await Promise.allSettled(asked)
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
      expect(await node.has(uids[1]!, 'USDT')).toBe('1000/0')
    } finally {
      await sql`alter table spot_order drop constraint no_odd_price`.execute(db)
    }
    expect(await node.order(uids[1]!, 'buy 0.01 at 48999', {}, `alone ${uids[1]}`)).toMatchObject({ status: 'open' })
  })

  test('an order that waits on another node goes first', async () => {
    const [buyer, earlier, later] = [await customer('1000'), await customer('0'), await customer('0')]
    for (const uid of [earlier, later]) await node.credit(uid, 'BTC', '1')
    await node.order(buyer, 'buy 0.01 at 49500')
    // It does not match, and the node that does hears nothing of it.
    const other = await openSpotNode(node.database)
    const asked = other.order(earlier, 'sell 0.01 at 49500')
    const stored = () => sql`select from spot_order where uid = ${earlier}`.execute(node.database.db)
    await expect.poll(async () => (await stored()).rows.length, { interval: 2 }).toBe(1)
    await node.order(later, 'sell 0.01 at 49500')
    await asked
    await other.close()
    expect([await node.has(earlier, 'BTC'), await node.has(later, 'BTC')]).toEqual(['0.99/0', '0.99/0.01'])
  })
})
