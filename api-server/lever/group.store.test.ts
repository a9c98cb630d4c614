import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { onBothEngines } from '#tests/support/databases/engines.ts'
import { type LeverStage, openLeverStage } from '#tests/support/databases/lever-stage.ts'
import { refused } from '#tests/support/databases/wallet-stage.ts'

const opening = { match_id: 'BTCUSDT', side: 'long', lots: '10', multiple: '20' }

onBothEngines('contracts that come together', (engine) => {
  let stage: LeverStage
  beforeAll(async () => {
    stage = await openLeverStage(engine)
    await stage.started()
  })
  afterEach(() => expectSoundMoney(stage.database))
  afterAll(() => stage.stop())

  const customers = (count: number, amount = '1000') => Promise.all(Array.from({ length: count }, () => stage.customer(amount)))
  const open = (uid: number, over: Record<string, string> = {}, key?: string) =>
    stage.call('lever.orderOpen', uid, { ...opening, ...over }, key)
  const close = (uid: number, id: number, lots?: string, key?: string) =>
    stage.call('lever.close', uid, { id: String(id), ...(lots !== undefined && { lots }) }, key)
  const outcome = <A>(asked: Promise<A>, of: (answer: A) => string) => asked.then(of, () => refused(asked))
  /** How many transactions booked what is of one kind for these customers. */
  async function commits(kind: string, uids: readonly number[]): Promise<number> {
    const { rows } = await sql<{ count: number }>`select count(distinct xmin::text)::int as count from ledger_event
      where kind = ${kind} and uid = any(${[...uids]}::bigint[])`.execute(stage.database.db)
    return rows[0]!.count
  }

  test('one that is refused in the middle costs the others nothing', async () => {
    stage.tick('50000')
    const [rich, poor, frozen] = [await customers(8), await stage.customer('100'), await stage.customer()]
    stage.statuses.set(frozen, 'frozen')
    const asked = [...rich.slice(0, 4), poor, frozen, ...rich.slice(4)]
    const opened = await Promise.all(asked.map((uid) => outcome(open(uid), ({ status, margin }) => `${status} ${margin}`)))
    const each = Array.from({ length: 4 }, () => 'open 250')
    expect(opened).toEqual([...each, 'insufficient_balance', 'account_frozen', ...each])
    expect(await commits('lever_open', rich)).toBeLessThan(rich.length)
    expect(await Promise.all(asked.map((uid) => stage.has(uid)))).toEqual(
      asked.map((uid) => has(uid === poor ? '100' : uid === frozen ? '1000' : '747.5')),
    )
    stage.tick('51000')
    const ids = await Promise.all(rich.map(async (uid) => (await stage.call('lever.orderList', uid, { status: 'position' })).list[0]!.id))
    const closed = await Promise.all(rich.map((uid, at) => outcome(close(at === 3 ? poor : uid, ids[at]!), ({ back }) => back)))
    expect(closed).toEqual(rich.map((_, at) => (at === 3 ? 'order_unknown id' : '347.45')))
    expect(await commits('lever_close', rich)).toBeLessThan(rich.length - 1)
    expect(await Promise.all(rich.map((uid) => stage.has(uid)))).toEqual(rich.map((_, at) => has(at === 3 ? '747.5' : '1094.95')))
  })

  test('two orders of one customer that are too much together', async () => {
    stage.tick('50000')
    const uid = await stage.customer('400')
    const opened = await Promise.all(['10', '10'].map((lots) => outcome(open(uid, { lots }), ({ status }) => status)))
    expect(opened).toEqual(['open', 'insufficient_balance'])
    expect(await stage.has(uid)).toBe(has('147.5'))
  })

  test('parts of one position that are closed at once, more than there are together', async () => {
    stage.tick('50000')
    const uid = await stage.customer()
    const { id } = await open(uid)
    stage.tick('51000')
    const closed = await Promise.all(
      ['4', '5', '2', '1'].map((lots) => outcome(close(uid, id, lots), (row) => `${row.lots} ${row.lots_left}`)),
    )
    expect(closed).toEqual(['4 6', '5 1', 'size_wrong lots', '1 0'])
    expect(await stage.call('lever.order', uid, { id: String(id) })).toMatchObject({ status: 'closed', lots: '10', margin: '0' })
    expect(await stage.has(uid)).toBe(has('1094.95'))
    expect((await stage.call('lever.history', uid)).total).toBe(3)
  })

  test('equal keys have one effect and one answer, and another order under the key is refused', async () => {
    stage.tick('50000')
    const [uid, others] = [await stage.customer(), await customers(3)]
    const twice = [1, 2].map(() => open(uid, {}, 'same'))
    const changed = outcome(open(uid, { lots: '9' }, 'same'), ({ status }) => status)
    await Promise.all(others.map((one) => open(one, {}, 'same')))
    const [first, second] = await Promise.all(twice)
    expect(second).toEqual(first)
    expect(await changed).toBe('key_reused')
    expect(await stage.has(uid)).toBe(has('747.5'))
  })

  test('where all cannot be committed each is tried alone', async () => {
    stage.tick('50000')
    const uids = await customers(4)
    const { db } = stage.database
    await sql`alter table lever_position add constraint no_seven_lots check (lots <> 7)`.execute(db)
    try {
      const opened = await Promise.allSettled(uids.map((uid, at) => open(uid, { lots: at === 1 ? '7' : '10' }, `alone ${uid}`)))
      expect(opened.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
      expect(await stage.has(uids[1]!)).toBe(has('1000'))
    } finally {
      await sql`alter table lever_position drop constraint no_seven_lots`.execute(db)
    }
    expect(await open(uids[1]!, { lots: '7' }, `alone ${uids[1]}`)).toMatchObject({ status: 'open' })
  })
})

/** The text that `has` of the stage returns for a customer with nothing frozen. */
const has = (available: string) => `${available}/0`
