import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { tellingLost } from '#api-server/feed/changes.ts'
import { auditIn } from '#api-server/ledger/audit/audit.ts'
import { migrations } from '#api-server/migrations.ts'
import { spotLimits } from '#api-server/spot/spot.ts'
import { ApiProblem } from '#contract/problem.ts'
import { createLocalBus } from '#server-kit/ops/bus.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { openSpotNode, type SpotNode } from '#tests/support/databases/spot-stage.ts'
import { refused } from '#tests/support/databases/wallet-stage.ts'

onEngines('open spot orders that are moved', (engine) => {
  let node: SpotNode
  let people = 540_000
  /** The connection is lost right after the next commit: the transaction is stored, and nobody is notified. */
  let losesAnswer = false
  /** How often all customers were asked to load everything again. */
  let lost = 0
  const limits = spotLimits as { sweepEveryMs: number; waitMs: number }
  const { sweepEveryMs, waitMs } = spotLimits
  beforeAll(async () => {
    // A move that another node has taken waits until the test wakes this one.
    limits.sweepEveryMs = 600_000
    const database = await engine.open(migrations)
    const transaction: typeof database.transaction = async (work) => {
      const done = await database.transaction(work)
      if (!losesAnswer) return done
      losesAnswer = false
      throw new ApiProblem('outcome_unknown')
    }
    node = await openSpotNode(tellingLost({ ...database, transaction }, () => void lost++))
    await node.spot.start()
  })
  afterEach(async () => {
    await expectSoundMoney(node.database)
    // Each test leaves the book empty.
    const { rows } = await sql<{ uid: number }>`select distinct uid from spot_order where status in ('new', 'open', 'partial')`.execute(
      node.database.db,
    )
    for (const { uid } of rows) await node.call('c2c.cancelAll', uid)
    expect(node.spot.depth('BTCUSDT', 5)).toEqual({ bids: [], asks: [] })
    await expectSoundMoney(node.database)
  })
  afterAll(async () => {
    Object.assign(limits, { sweepEveryMs, waitMs })
    await node.close()
  })
  async function customer(usdt = '0', btc = '0') {
    const uid = await node.user(++people)
    if (usdt !== '0') await node.credit(uid, 'USDT', usdt)
    if (btc !== '0') await node.credit(uid, 'BTC', btc)
    return uid
  }
  const move = (uid: number, { id }: { id: number }, price: string, key?: string) =>
    node.call('c2c.move', uid, { id: String(id), price }, key)
  const order = (uid: number, { id }: { id: number }) => node.call('c2c.order', uid, { id: String(id) })

  /** As if the node that matches had not come to it yet, and something happens first. @returns what the call of the move answers */
  async function asked(uid: number, { id }: { id: number }, price: string) {
    const other = await openSpotNode(node.database)
    const answer = other.call('c2c.move', uid, { id: String(id), price })
    answer.catch(() => undefined)
    const stored = () => sql`select from spot_order where id = ${id} and moving is not null`.execute(node.database.db)
    await expect.poll(async () => (await stored()).rows.length, { interval: 2 }).toBe(1)
    return { answer, close: () => other.close() }
  }

  test('up and down: what is frozen is what it holds there, to the last digit', async () => {
    const uid = await customer('1000')
    const made = await node.order(uid, 'buy 0.01234 at 49000.01')
    expect([await node.has(uid, 'USDT'), made.can_move]).toEqual(['395.3398766/604.6601234', true])
    expect(await move(uid, made, '49500.55')).toMatchObject({
      id: made.id,
      price: '49500.55',
      status: 'open',
      frozen: '610.836787',
      version: made.version + 1,
      can_move: true,
    })
    expect(await node.has(uid, 'USDT')).toBe('389.163213/610.836787')
    expect(await move(uid, made, '48000')).toMatchObject({ price: '48000', frozen: '592.32' })
    expect(await node.has(uid, 'USDT')).toBe('407.68/592.32')
    // At its own price it stays as it is.
    expect(await move(uid, made, '48000.00')).toMatchObject({ price: '48000', version: made.version + 2 })
    expect(node.spot.depth('BTCUSDT', 5)).toEqual({ bids: [['48000', '0.01234']], asks: [] })
    const seller = await customer('0', '1')
    const ask = await node.order(seller, 'sell 0.5 at 51000')
    expect(await move(seller, ask, '50500')).toMatchObject({ price: '50500', frozen: '0.5' })
    expect(await node.has(seller, 'BTC')).toBe('0.5/0.5')
    expect(node.announced.rows.filter((row) => row.startsWith(String(uid)))).toEqual([
      `${uid} spot_orders insert open`,
      `${uid} spot_orders update open`,
      `${uid} spot_orders update open`,
    ])
    expect((await node.balances.statement(uid, {}, { offset: 0, size: 9 })).rows.map(({ kind, amount }) => [kind, Number(amount)])).toEqual(
      expect.arrayContaining([
        ['spot_move', -6.1766636],
        ['spot_release', 18.516787],
      ]),
    )
  })

  test('into the market it is filled at the better prices, pays as a taker, and the rest stands', async () => {
    const [seller, buyer] = [await customer('0', '1'), await customer('2000')]
    await node.order(seller, 'sell 0.01 at 49500')
    await node.order(seller, 'sell 0.01 at 49600')
    const made = await node.order(buyer, 'buy 0.03 at 49000')
    expect(await move(buyer, made, '49700')).toMatchObject({
      price: '49700',
      status: 'partial',
      filled: '0.02',
      value: '991',
      average: '49550',
      frozen: '497',
      fee: '0.00002',
    })
    expect([await node.has(buyer, 'USDT'), await node.has(buyer, 'BTC')]).toEqual(['512/497', '0.01998/0'])
    expect((await node.call('c2c.fills', buyer)).list.map(({ price, role }) => [price, role])).toEqual([
      ['49600', 'taker'],
      ['49500', 'taker'],
    ])
    // The amount paid is more than the new limit allows: it was right at the old one.
    expect(await move(buyer, made, '40000')).toMatchObject({ price: '40000', status: 'partial', value: '991', frozen: '400' })
    expect(await node.has(buyer, 'USDT')).toBe('609/400')
    expect(await node.order(seller, 'sell 0.01 at 40000')).toMatchObject({ status: 'filled' })
    expect(await order(buyer, made)).toMatchObject({ status: 'filled', filled: '0.03', value: '1391', frozen: '0', can_move: false })
    expect([await node.has(buyer, 'USDT'), await refused(move(buyer, made, '41000'))]).toEqual(['609/0', 'state_wrong id'])
  })

  test('partly filled and moved away, it holds the rest; it goes behind the orders that stand at the price', async () => {
    const [first, second, seller] = [await customer('3000'), await customer('1000'), await customer('0', '1')]
    const made = await node.order(first, 'buy 0.04 at 49500')
    await node.order(seller, 'sell 0.01 at 49500')
    const other = await node.order(second, 'buy 0.01 at 49400')
    expect(await move(first, made, '49400')).toMatchObject({ status: 'partial', filled: '0.01', frozen: '1482' })
    expect(await node.has(first, 'USDT')).toBe('1023/1482')
    await node.order(seller, 'sell 0.01 at 49400')
    expect([(await order(second, other)).status, (await order(first, made)).filled]).toEqual(['filled', '0.01'])
    // A fresh reader of the books has the same order of priority.
    const last = await node.order(second, 'buy 0.01 at 49400')
    await node.spot.matcher.start()
    await node.spot.matcher.idle()
    await node.order(seller, 'sell 0.03 at 49400')
    expect([(await order(first, made)).status, (await order(second, last)).status]).toEqual(['filled', 'open'])
  })

  test('filled or cancelled before its turn: what was frozen for the move comes back, and the call says so', async () => {
    const [buyer, seller] = [await customer('1000'), await customer('0', '1')]
    for (const end of ['filled', 'cancelled'] as const) {
      const has = await node.has(buyer, 'USDT')
      const made = await node.order(buyer, 'buy 0.01 at 48000')
      const late = await asked(buyer, made, '48500')
      expect(await order(buyer, made)).toMatchObject({ price: '48000', frozen: '485', can_move: false })
      if (end === 'filled') await node.order(seller, 'sell 0.01 at 48000')
      else await node.call('c2c.cancel', buyer, { id: String(made.id) })
      expect(await refused(late.answer)).toBe('state_wrong id')
      expect(await order(buyer, made)).toMatchObject({ price: '48000', status: end, frozen: '0' })
      expect(await node.has(buyer, 'USDT')).toBe(end === 'filled' ? '520/0' : has)
      await late.close()
    }
  })

  test('partly filled between the request and the move, it holds and gives back what is right', async () => {
    const [buyer, seller] = [await customer('1000'), await customer('0', '1')]
    const made = await node.order(buyer, 'buy 0.01 at 48000')
    const late = await asked(buyer, made, '48500')
    await node.order(seller, 'sell 0.004 at 48000')
    expect(await node.has(buyer, 'USDT')).toBe('515/293')
    node.spot.matcher.wake()
    expect(await late.answer).toMatchObject({ price: '48500', status: 'partial', filled: '0.004', frozen: '291' })
    expect(await node.has(buyer, 'USDT')).toBe('517/291')
    await late.close()
  })

  test('a node that begins to match moves what waits', async () => {
    const bus = { ...createLocalBus(createLog('silent')), shared: true }
    const database = await engine.open(migrations)
    const first = await openSpotNode(database, { bus })
    const second = await openSpotNode(database, { bus })
    try {
      await first.spot.start()
      await expect.poll(() => first.spot.matcher.leads()).toBe(true)
      const uid = await first.user(549_999)
      await first.credit(uid, 'USDT', '1000')
      const { id } = await first.order(uid, 'buy 0.01 at 48000')
      await first.close()
      limits.waitMs = 0
      const fields = { id: String(id), price: '48500' }
      expect(await second.call('c2c.move', uid, fields, 'k')).toMatchObject({ price: '48000', frozen: '485', can_move: false })
      await expectSoundMoney(database)
      await second.spot.start()
      await expect.poll(() => second.spot.depth('BTCUSDT', 5).bids).toEqual([['48500', '0.01']])
      expect(await second.call('c2c.move', uid, fields, 'k')).toMatchObject({ price: '48500', frozen: '485', can_move: true })
      await expectSoundMoney(database)
    } finally {
      limits.waitMs = waitMs
      await second.close()
      await first.close()
    }
  })

  test('a post-only order that would match stays, and one that would meet its owner is cancelled', async () => {
    const [uid, other] = [await customer('1000', '1'), await customer('0', '1')]
    await node.order(other, 'sell 0.01 at 49500')
    const passive = await node.order(uid, 'buy 0.01 at 49000', { time_in_force: 'post_only' })
    expect(await refused(move(uid, passive, '49500'))).toBe('order_would_match price')
    expect(await order(uid, passive)).toMatchObject({ price: '49000', status: 'open', frozen: '490', can_move: true })
    expect(await node.has(uid, 'USDT')).toBe('510/490')
    expect(await move(uid, passive, '49499.99')).toMatchObject({ price: '49499.99', status: 'open' })
    const own = await node.order(uid, 'sell 0.01 at 49550')
    expect(await move(uid, own, '49499')).toMatchObject({ price: '49499', status: 'cancelled', reason: 'self_trade', filled: '0' })
    expect(await node.has(uid, 'BTC')).toBe('1/0')
  })

  test.each<[string, string, string, string]>([
    ['a price between the steps', 'buy 0.01 at 49000', '49000.001', 'price_wrong price'],
    ['no number', 'buy 0.01 at 49000', '1e4', 'price_wrong price'],
    ['nothing', 'buy 0.01 at 49000', '0', 'price_wrong price'],
    ['far from the price', 'buy 0.01 at 49000', '24999.99', 'price_out_of_band price'],
    ['more than there is', 'buy 0.01 at 49000', '50000.01', 'insufficient_balance'],
    ['too small there', 'buy 0.0001 at 50000', '49999', 'amount_too_small price'],
  ])('no move: %s', async (_says, text, price, answer) => {
    const uid = await customer('500')
    const made = await node.order(uid, text)
    const has = await node.has(uid, 'USDT')
    expect(await refused(move(uid, made, price, 'k'))).toBe(answer)
    expect([await order(uid, made), await node.has(uid, 'USDT')]).toEqual([made, has])
  })

  test('only the customer moves it, while it stands in an open market and the account is not frozen', async () => {
    const uid = await customer('1000')
    const made = await node.order(uid, 'buy 0.01 at 49000')
    expect(await refused(move(await customer(), made, '48000'))).toBe('order_unknown id')
    expect(await refused(move(uid, { id: 999_999 }, '48000'))).toBe('order_unknown id')
    await node.database.db.updateTable('account').set({ status: 'frozen' }).where('id', '=', uid).execute()
    expect(await refused(move(uid, made, '48000'))).toBe('account_frozen')
    await node.database.db.updateTable('account').set({ status: 'active' }).where('id', '=', uid).execute()
    await node.database.transaction((tx) => node.terms.halt(tx, { symbol: 'BTCUSDT', reason: 'test', halted_by: 'x', at: 1 }))
    await node.trading.changed()
    expect(await refused(move(uid, made, '48000'))).toBe('market_halted')
    await node.database.transaction((tx) => node.terms.resume(tx, 'BTCUSDT', 2))
    await node.trading.changed()
    await node.call('c2c.cancel', uid, { id: String(made.id) })
    expect(await refused(move(uid, made, '48000'))).toBe('state_wrong id')
    expect(await node.has(uid, 'USDT')).toBe('1000/0')
  })

  test('a key counts once, and of two moves at once the second waits for nothing', async () => {
    const uid = await customer('1000')
    const made = await node.order(uid, 'buy 0.01 at 48000')
    const moved = await Promise.all(Array.from({ length: 5 }, () => move(uid, made, '48500', 'same')))
    expect(new Set(moved.map(({ version }) => version))).toEqual(new Set([made.version + 1]))
    expect(await refused(move(uid, made, '48501', 'same'))).toBe('key_reused')
    await move(uid, made, '48000', 'back')
    // A repeated key gets the order as it stands now.
    expect(await move(uid, made, '48500', 'same')).toMatchObject({ price: '48000' })
    const outcomes = await Promise.all(['48100', '48200'].map((price) => move(uid, made, price).catch(() => undefined)))
    const { price, frozen } = await order(uid, made)
    expect(outcomes.some((row) => row?.price === price)).toBe(true)
    expect([await node.has(uid, 'USDT'), Number(frozen)]).toEqual([`${1000 - Number(price) / 100}/${frozen}`, Number(price) / 100])
  })

  test('a key that is repeated after a later move is not refused, and one that was refused is refused again', async () => {
    const [uid, seller] = [await customer('1000'), await customer('0', '1')]
    await node.order(seller, 'sell 0.01 at 49500')
    const made = await node.order(uid, 'buy 0.01 at 48000', { time_in_force: 'post_only' })
    await move(uid, made, '48500', 'first')
    expect(await refused(move(uid, made, '49500', 'into the market'))).toBe('order_would_match price')
    expect(await refused(move(uid, made, '49500', 'into the market'))).toBe('order_would_match price')
    await move(uid, made, '49000', 'second')
    expect(await move(uid, made, '48500', 'first')).toMatchObject({ price: '49000', status: 'open' })
    await node.order(seller, 'sell 0.01 at 49000')
    expect(await order(uid, made)).toMatchObject({ status: 'filled' })
    for (const [price, key] of [
      ['48500', 'first'],
      ['49000', 'second'],
    ] as const)
      expect(await move(uid, made, price, key)).toMatchObject({ price: '49000', status: 'filled' })
  })

  test('a move that cannot be committed changes nothing in memory, and is done once it can', async () => {
    const [uid, seller] = [await customer('1000'), await customer('0', '1')]
    await node.order(seller, 'sell 0.005 at 48500')
    const made = await node.order(uid, 'buy 0.01 at 48000')
    const before = node.spot.depth('BTCUSDT', 5)
    const failed = () => node.spot.counts().failed ?? 0
    const had = failed()
    await node.database.db.schema.alterTable('spot_fill').renameTo('spot_fill_away').execute()
    const waits = move(uid, made, '48500', 'k')
    await expect.poll(failed).toBeGreaterThan(had)
    expect(node.spot.depth('BTCUSDT', 5)).toEqual(before)
    await node.database.db.schema.alterTable('spot_fill_away').renameTo('spot_fill').execute()
    const timer = setInterval(node.spot.matcher.wake, 100)
    expect(await waits).toMatchObject({ status: 'partial', price: '48500', filled: '0.005', frozen: '242.5' })
    clearInterval(timer)
  })

  test('a move that was committed, which nobody is told, is done once', async () => {
    const buyer = await customer('1000')
    const [made, other] = [await node.order(buyer, 'buy 0.01 at 48000'), await node.order(buyer, 'buy 0.001 at 47000')]
    const late = [await asked(buyer, made, '48500'), await asked(buyer, other, '47500')]
    const { failed, parked } = node.spot.counts()
    losesAnswer = true
    node.spot.matcher.wake()
    expect(await late[0]!.answer).toMatchObject({ price: '48500', frozen: '485', version: made.version + 1 })
    expect(await late[1]!.answer).toMatchObject({ price: '47500', frozen: '47.5', version: other.version + 1 })
    await node.spot.matcher.idle()
    expect(await node.has(buyer, 'USDT')).toBe('467.5/532.5')
    // One batch had an end that nobody knew, and nothing else went wrong.
    expect(node.spot.counts()).toMatchObject({ failed: failed! + 1, parked })
    expect(lost).toBe(1)
    for (const { close } of late) await close()
  })

  test('many orders and moves at once: the money is exact, and a fresh reader of the books finds the same', async () => {
    const people = await Promise.all([1, 2, 3, 4].map(() => customer('100000', '10')))
    const at = (n: number) => String(49_990 + (n % 21))
    const ended = (error: ApiProblem) => expect(error.code).toBe('state_wrong')
    await Promise.all(
      Array.from({ length: 80 }, async (_, n) => {
        const uid = people[n % 4]!
        const made = await node.order(uid, `${(n >> 2) % 2 ? 'buy' : 'sell'} 0.0${1 + (n % 7)} at ${at(7 * n)}`)
        for (const turn of [1, 2, 3]) await move(uid, made, at(11 * n + 5 * turn)).catch(ended)
        if (n % 5 === 0) await node.call('c2c.cancel', uid, { id: String(made.id) }).catch(ended)
      }),
    )
    const { rows } = await sql`select from spot_order where moving is not null or extra <> 0 and status in ('open', 'partial')`.execute(
      node.database.db,
    )
    expect(rows).toEqual([])
    const shown = node.spot.depth('BTCUSDT', 30)
    await node.spot.matcher.start()
    await node.spot.matcher.idle()
    expect(node.spot.depth('BTCUSDT', 30)).toEqual(shown)
  })

  test('the database refuses another limit than the one that was asked for', async () => {
    const uid = await customer('1000')
    const { id } = await node.order(uid, 'buy 0.01 at 48000')
    const tried = (set: string) =>
      node.database
        .transaction(async (tx) => {
          await sql.raw(`update spot_order set moving = 48500, extra = 5, moved = true where id = ${id}`).execute(tx)
          await sql.raw(`update spot_order set ${set} where id = ${id}`).execute(tx)
          throw new Error('done')
        })
        .catch((error: Error) => error.message)
    for (const set of ['price = 48500', 'price = 48501, moving = null', 'moving = 48501', 'extra = 0', 'moved = false'])
      expect(await tried(set)).not.toBe('done')
    for (const set of ['price = 48500, moving = null, extra = 0', 'moving = null, extra = 0', 'cancelling = true'])
      expect(await tried(set)).toBe('done')
    expect(await tried(`status = 'partial', filled = 0.001, value = 48.01, rank = 1`)).toBe('bought above the limit')
  })

  test('the audit finds what was changed past the rules', async () => {
    const uid = await customer('1000')
    const made = await node.order(uid, 'buy 0.01 at 48000')
    await move(uid, made, '48500')
    const found = async (change: string) => {
      const names = new Set<string>()
      const work = node.database.transaction(async (tx) => {
        for (const table of ['spot_order', 'ledger_event']) await sql`alter table ${sql.table(table)} disable trigger user`.execute(tx)
        await sql.raw(change).execute(tx)
        for (const { name, breaches } of (await auditIn(tx)).checks) if (breaches.length) names.add(name)
        throw new Error('undone')
      })
      await expect(work).rejects.toThrow('undone')
      return [...names]
    }
    const of = `where id = ${made.id}`
    expect(await found(`update spot_order set price = 48501 ${of}`)).toEqual(['I3', 'I6'])
    expect(await found(`update spot_order set moving = 48501, extra = 0.01 ${of}`)).toEqual(['I3', 'I6'])
    expect(await found(`update ledger_event set source = source || '0' where source = 'spot_move:${made.id}:1'`)).toEqual(['I6', 'I9'])
  })
})
