import { describe, expect, test } from 'vitest'
import { feedLimits } from '#contract/feed.ts'
import type { TopicMessage, TopicTable } from '#contract/topic.ts'
import { topicNames as all } from '#contract/topics.ts'
import { createFakeFeed } from '#renderer/feed/feed-fixture.ts'

function customer(first: string | undefined = 'ann', topics?: TopicTable) {
  let token: string | undefined = first
  const fake = createFakeFeed({ token: () => token, topics })
  const messages: TopicMessage[] = []
  fake.feed.start()
  const off = fake.feed.onTopicMessage((one) => messages.push(one))
  return {
    ...fake,
    rows: () => messages.filter(({ change }) => change).map(({ topic, change, row }) => `${topic} ${change} ${row?.id}`),
    /** Topics of which everything may have changed. */
    changes: () => messages.filter(({ change }) => !change).map(({ topic }) => topic),
    off,
    become(next: string | undefined) {
      token = next
      fake.feed.reconnect()
    },
    greets(place: { seq: number; resumed: boolean } | undefined, epoch = 'e1') {
      fake.newest().opens()
      fake.newest().says({ action: 'checkToken', data: { uid: '7', heartbeatMs: 15_000, epoch, ...(place && { private: place }) } })
      return fake.newest().sent[0]?.message
    },
    says: (seq: unknown, more: object = {}) => fake.newest().says({ action: 'balance', seq, ...more }),
  }
}

describe('what concerns the customer alone', () => {
  test('is asked for with a token, and only then', () => {
    expect(customer().greets({ seq: 0, resumed: false })).toEqual({
      action: 'checkToken',
      token: 'ann',
      v: 2,
      caps: ['seq', 'trades', 'private', 'rows'],
    })
    const visitor = customer()
    visitor.become(undefined)
    expect(visitor.greets(undefined)).toEqual({ action: 'checkToken', v: 2, caps: ['seq', 'trades'] })
  })

  test('is told at most four times a second, and never lost between', async () => {
    const at = customer()
    at.greets({ seq: 4, resumed: false })
    await at.pass(250)
    expect(at.changes()).toEqual(all)
    for (let seq = 5; seq < 25; seq++) {
      at.says(seq)
      await at.pass(50)
    }
    await at.pass(250)
    expect(at.changes().filter((topic) => topic === 'balance')).toHaveLength(5)
    await at.pass(1_000)
    expect(at.changes().filter((topic) => topic === 'balance')).toHaveLength(5)
  })

  test('goes on where it stopped, and counts as changed where that cannot be', async () => {
    const at = customer()
    at.greets({ seq: 4, resumed: false })
    at.says(5)
    await at.pass(250)
    at.feed.reconnect()
    expect(at.greets({ seq: 5, resumed: true })).toMatchObject({ resume: { epoch: 'e1', seq: 5 } })
    await at.pass(1_000)
    expect(at.changes().filter((topic) => topic === 'balance')).toHaveLength(1)
    at.feed.reconnect()
    expect(at.greets({ seq: 2, resumed: false }, 'e2')).toMatchObject({ resume: { epoch: 'e1', seq: 5 } })
    await at.pass(250)
    expect(at.changes().filter((topic) => topic === 'balance')).toHaveLength(2)
    at.feed.reconnect()
    expect(at.greets({ seq: 3, resumed: true }, 'e2')).toMatchObject({ resume: { epoch: 'e2', seq: 2 } })
    at.says(3)
    await at.pass(250)
    expect(at.changes().filter((topic) => topic === 'balance')).toHaveLength(3)
  })

  test('is another customer’s with another token: no place is kept', () => {
    const at = customer()
    at.greets({ seq: 4, resumed: false })
    at.become('bob')
    expect(at.greets({ seq: 9, resumed: false })).not.toHaveProperty('resume')
  })

  test('waits for who wants to hear it', async () => {
    const at = customer()
    at.off()
    at.greets({ seq: 4, resumed: false })
    await at.pass(5_000)
    const late: string[] = []
    at.feed.onTopicMessage(({ topic }) => late.push(topic))
    await at.pass(250)
    expect(late).toEqual(all)
    expect(at.changes()).toEqual([])
  })

  test.each([undefined, 'x', 1.5, null])('number %j is none: told as an invalid message, and nothing is taken from it', async (seq) => {
    const at = customer()
    at.greets({ seq: 4, resumed: false })
    await at.pass(250)
    at.says(seq)
    await at.pass(250)
    expect(at.emitted.map(({ event }) => event)).toEqual(['invalid-message'])
    expect(at.changes().filter((topic) => topic === 'balance')).toHaveLength(1)
  })

  test('is asked for again when the server could not look the token up', async () => {
    const at = customer()
    at.newest().opens()
    at.newest().says({ action: 'checkToken', error: 'busy' })
    expect(at.sockets).toHaveLength(1)
    await at.pass(5_000)
    expect(at.sockets).toHaveLength(2)
    at.greets({ seq: 0, resumed: false })
    await at.pass(20_000)
    expect(at.sockets).toHaveLength(2)
  })

  test('is not asked for again on a connection that has been opened and accepted in the meantime', async () => {
    const at = customer()
    at.newest().opens()
    at.newest().says({ action: 'checkToken', error: 'busy' })
    at.feed.reconnect()
    at.greets({ seq: 0, resumed: false })
    await at.pass(20_000)
    expect(at.sockets).toHaveLength(2)
  })

  describe('rows', () => {
    const row = (id: number, change = 'insert') => ({ action: 'records', change, row: { id } })
    async function heard() {
      const at = customer()
      at.greets({ seq: 0, resumed: false })
      await at.pass(250)
      return at
    }

    test('are told in the order in which they came', async () => {
      const at = await heard()
      at.says(1, row(7))
      at.says(2, row(7, 'update'))
      at.says(3, row(6, 'remove'))
      await at.pass(250)
      expect(at.rows()).toEqual(['records insert 7', 'records update 7', 'records remove 6'])
      expect(at.changes()).toEqual(all)
    })

    test('behind a number that was missed are not told: everything may have changed', async () => {
      const at = await heard()
      at.says(1, row(7))
      at.says(3, row(8))
      await at.pass(250)
      expect(at.rows()).toEqual([])
      expect(at.changes()).toEqual([...all, ...all])
    })

    test('of a state that is older than one that was told are left out', async () => {
      const at = await heard()
      const state = (id: number, changed: number, change = 'update') => ({ action: 'records', change, row: { id, changed } })
      at.says(1, state(7, 3))
      at.says(2, state(7, 2, 'insert'))
      at.says(3, state(6, 1, 'insert'))
      await at.pass(250)
      at.says(4, state(7, 1, 'insert'))
      at.says(5, state(7, 3))
      await at.pass(250)
      expect(at.rows()).toEqual(['records update 7', 'records insert 6', 'records update 7'])
      expect(at.changes()).toEqual(all)
    })

    test('that were removed are loaded again when they are told of once more', async () => {
      const at = await heard()
      at.says(1, row(7, 'remove'))
      at.says(2, row(7))
      await at.pass(250)
      expect(at.rows()).toEqual([])
      expect(at.changes()).toEqual([...all, 'records'])
    })

    test('that are new are loaded again for five seconds after a gap', async () => {
      const at = await heard()
      at.says(2)
      await at.pass(250)
      at.says(3, row(7))
      at.says(4, { ...row(8, 'update'), action: 'addresses' })
      await at.pass(250)
      expect(at.rows()).toEqual(['addresses update 8'])
      expect(at.changes()).toEqual([...all, ...all, 'records'])
      await at.pass(4_000)
      at.feed.reconnect()
      at.greets({ seq: 4, resumed: false }, 'e2')
      await at.pass(4_000)
      at.says(5, row(9))
      await at.pass(250)
      expect(at.rows()).toEqual(['addresses update 8'])
      await at.pass(1_000)
      at.says(6, row(10))
      await at.pass(250)
      expect(at.rows()).toEqual(['addresses update 8', 'records insert 10'])
    })

    test('that are too many at once are loaded again', async () => {
      const at = await heard()
      for (let seq = 1; seq <= feedLimits.rowsWaitingMax + 1; seq++) at.says(seq, row(seq))
      await at.pass(250)
      expect(at.rows()).toEqual([])
      expect(at.changes()).toEqual([...all, 'records'])
    })

    test.each([
      ['no row', { action: 'records', change: 'insert' }],
      ['a row without its key', { action: 'records', change: 'insert', row: { name: 'x' } }],
      ['a change that is none', { ...row(1), change: 'upsert' }],
    ])('with %s are none: their topic may have changed', async (_what, message) => {
      const at = await heard()
      at.says(1, message)
      await at.pass(250)
      expect(at.rows()).toEqual([])
      expect(at.changes()).toEqual([...all, 'records'])
    })
  })

  test('of another contract is told by its own topics and keys', async () => {
    const topics: TopicTable = { bids: { about: '', rows: { call: 'auction.bids', key: 'nr', newest: 'first', by: {} } } }
    const at = customer('ann', topics)
    at.greets({ seq: 0, resumed: false })
    await at.pass(feedLimits.gatherMs)
    expect(at.changes()).toEqual(['bids'])
    at.newest().says({ action: 'bids', seq: 1, change: 'insert', row: { nr: 4, id: 9 } })
    at.newest().says({ action: 'records', seq: 2, change: 'insert', row: { id: 5 } })
    await at.pass(feedLimits.gatherMs)
    expect(at.rows()).toEqual(['bids insert 9'])
  })
})
