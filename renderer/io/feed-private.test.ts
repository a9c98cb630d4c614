import { describe, expect, test } from 'vitest'
import { createFakeFeed } from '#renderer/io/feed-fixture.ts'

function customer(first: string | undefined = 'ann') {
  let token: string | undefined = first
  const fake = createFakeFeed({ token: () => token })
  const told: string[] = []
  fake.feed.start()
  const off = fake.feed.onTold((topic) => told.push(topic))
  return {
    ...fake,
    changes: told,
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
    says: (seq: unknown) => fake.newest().says({ action: 'balance', seq }),
  }
}

describe('what concerns the customer alone', () => {
  test('is asked for with a token, and only then', () => {
    expect(customer().greets({ seq: 0, resumed: false })).toEqual({
      action: 'checkToken',
      token: 'ann',
      v: 2,
      caps: ['seq', 'trades', 'private'],
    })
    const visitor = customer()
    visitor.become(undefined)
    expect(visitor.greets(undefined)).toEqual({ action: 'checkToken', v: 2, caps: ['seq', 'trades'] })
  })

  test('is told at most four times a second, and never lost between', async () => {
    const at = customer()
    at.greets({ seq: 4, resumed: false })
    await at.pass(250)
    expect(at.changes).toEqual(['balance'])
    for (let seq = 5; seq < 25; seq++) {
      at.says(seq)
      await at.pass(50)
    }
    await at.pass(250)
    expect(at.changes).toHaveLength(5)
    await at.pass(1_000)
    expect(at.changes).toHaveLength(5)
  })

  test('goes on where it stopped, and counts as changed where that cannot be', async () => {
    const at = customer()
    at.greets({ seq: 4, resumed: false })
    at.says(5)
    await at.pass(250)
    at.feed.reconnect()
    expect(at.greets({ seq: 5, resumed: true })).toMatchObject({ resume: { epoch: 'e1', seq: 5 } })
    await at.pass(1_000)
    expect(at.changes).toHaveLength(1)
    at.feed.reconnect()
    expect(at.greets({ seq: 2, resumed: false }, 'e2')).toMatchObject({ resume: { epoch: 'e1', seq: 5 } })
    await at.pass(250)
    expect(at.changes).toHaveLength(2)
    at.feed.reconnect()
    expect(at.greets({ seq: 3, resumed: true }, 'e2')).toMatchObject({ resume: { epoch: 'e2', seq: 2 } })
    at.says(3)
    await at.pass(250)
    expect(at.changes).toHaveLength(3)
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
    at.feed.onTold((topic) => late.push(topic))
    await at.pass(250)
    expect(late).toEqual(['balance'])
    expect(at.changes).toEqual([])
  })

  test.each([undefined, 'x', 1.5, null])('number %j is none: told as an invalid message, and nothing is taken from it', async (seq) => {
    const at = customer()
    at.greets({ seq: 4, resumed: false })
    await at.pass(250)
    at.says(seq)
    await at.pass(250)
    expect(at.told.map(({ event }) => event)).toEqual(['invalid-message'])
    expect(at.changes).toHaveLength(1)
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
})
