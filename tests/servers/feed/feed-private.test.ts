import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { createChanges } from '#api-server/feed/changes.ts'
import type { Sessions } from '#api-server/feed/feed-market.ts'
import { type ChangeMessage, type FeedMessage, feedLimits } from '#contract/feed.ts'
import { topicNames } from '#contract/topics.ts'
import { type Bus, createLocalBus } from '#server-kit/ops/bus.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { eventually } from '#tests/support/eventually.ts'
import type { FeedClient } from '#tests/support/feed/feed-client.ts'
import { openStage, type Stage } from '#tests/support/feed/feed-stage.ts'

const stages: Stage[] = []
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.end()
})

/** Tokens name their customer: `7` and `7 phone` are two sessions of customer 7. */
async function open(bus = createLocalBus(createLog('silent'))) {
  const ended = new Set<string>()
  let hint: (account: number) => void = () => undefined
  const sessions: Sessions = {
    check: async (token) => (ended.has(token) ? undefined : { uid: token.split(' ')[0]!, session: token }),
    alive: async (ids) => new Set(ids.filter((id) => !ended.has(id))),
    listen(listener) {
      hint = listener
      return () => undefined
    },
  }
  const changes = createChanges(bus)
  const stage = await openStage(['BTCUSDT'], [], { sessions, changes })
  stages.push(stage)
  const tell = (uid: number | 'all', times = 1) => {
    for (let n = 0; n < times; n++) changes.tell(uid, 'balance')
  }
  const end = (token: string) => {
    ended.add(token)
    hint(Number(token.split(' ')[0]))
  }
  return { stage, tell, end, changes }
}

type Place = { epoch: string; private?: { seq: number; resumed: boolean } }
/** Sends a token on a new connection. */
async function show(
  stage: Stage,
  token: string | undefined,
  more: Record<string, unknown> = {},
): Promise<{ client: FeedClient; place: Place }> {
  const client = await stage.client()
  client.send({ action: 'checkToken', ...(token && { token }), v: 2, caps: ['seq', 'private'], ...more })
  const answer = (await client.next(({ action }) => action === 'checkToken')) as { data: Place }
  return { client, place: answer.data }
}
/** Numbers of the messages received, after everything sent before has arrived. */
async function heard(client: FeedClient): Promise<number[]> {
  const fits = (message: FeedMessage) => message.action === 'ping' && !('restart' in message)
  const before = client.messages.filter(fits).length
  client.send({ action: 'ping' })
  await client.next((message) => fits(message) && client.messages.filter(fits).indexOf(message) >= before)
  return client.messages.flatMap((message: FeedMessage | ChangeMessage) =>
    message.action === 'balance' ? [(message as ChangeMessage).seq] : [],
  )
}

test('all connections of a customer are notified in sequence, and nobody else', async () => {
  const { stage, tell } = await open()
  const all = await Promise.all(['7', '7 phone', '8', undefined].map((token) => show(stage, token)))
  tell(7, 3)
  expect(await Promise.all(all.map(({ client }) => heard(client)))).toEqual([[1, 2, 3], [1, 2, 3], [], []])
  expect(all.map(({ place }) => place.private)).toEqual([...Array(3).fill({ seq: 0, resumed: false }), undefined])
})

test('a change for all reaches every customer, each in the own sequence', async () => {
  const { stage, tell } = await open()
  const all = await Promise.all(['7', '7 phone', '8', undefined].map((token) => show(stage, token)))
  tell(7)
  tell('all')
  tell(8)
  expect(await Promise.all(all.map(({ client }) => heard(client)))).toEqual([[1, 2], [1, 2], [1, 2], []])
})

test.each([
  ['a plain client', { v: undefined, caps: undefined }],
  ['a plain client with the cap', { v: undefined }],
  ['a client without the cap', { caps: ['seq', 'trades'] }],
])('%s gets no messages and no position', async (_who, more) => {
  const { stage, tell } = await open()
  const { client, place } = await show(stage, '7', more)
  tell(7)
  expect(await heard(client)).toEqual([])
  expect(place).not.toHaveProperty('private')
})

test('a client that returns gets the missed messages in order, then new ones', async () => {
  const { stage, tell } = await open()
  const first = await show(stage, '7')
  tell(7, 2)
  await heard(first.client)
  first.client.socket.terminate()
  await first.client.closed
  tell(7, 3)
  const again = await show(stage, '7', { resume: { epoch: first.place.epoch, seq: 2 } })
  tell(7)
  expect(again.place.private).toEqual({ seq: 5, resumed: true })
  expect(await heard(again.client)).toEqual([3, 4, 5, 6])
})

test('a position that cannot be resumed is reported, and nothing old is sent', async () => {
  const { stage, tell } = await open()
  const { client, place } = await show(stage, '7')
  tell(7, feedLimits.journalKept + 5)
  expect((await heard(client)).length).toBe(feedLimits.journalKept + 5)
  const other = await show(stage, '8')
  const from = (seq: number, epoch = place.epoch, token = '7') => show(stage, token, { resume: { epoch, seq } })
  const tries = await Promise.all([from(4), from(5), from(6, 'another start'), from(9_999), from(3, other.place.epoch, '8')])
  expect(tries.map((one) => one.place.private?.resumed)).toEqual([false, true, false, false, false])
  expect((await heard(tries[1]!.client)).length).toBe(feedLimits.journalKept)
  for (const one of [tries[0]!, tries[2]!, tries[3]!, tries[4]!]) expect(await heard(one.client)).toEqual([])
})

test('after ten minutes nothing is resumed, and forgotten numbers are not reused', async () => {
  const { stage, tell } = await open()
  const { client, place } = await show(stage, '7')
  tell(7, 2)
  await heard(client)
  client.socket.terminate()
  await client.closed
  stage.later(feedLimits.journalMs + 1)
  const back = await show(stage, '7', { resume: { epoch: place.epoch, seq: 1 } })
  expect(back.place.private).toEqual({ seq: 2, resumed: false })
  back.client.socket.terminate()
  await back.client.closed
  await expect.poll(() => stage.feed.counts().clients).toBe(0)
  stage.later(feedLimits.journalMs + 1)
  stage.heartbeat()
  tell(7)
  const late = await show(stage, '7', { resume: { epoch: place.epoch, seq: 2 } })
  expect(late.place.private).toEqual({ seq: 3, resumed: false })
})

test('an ended session gets no more messages, while other sessions of the customer do', async () => {
  const { stage, tell, end } = await open()
  const [one, two] = [await show(stage, '7'), await show(stage, '7 phone')]
  end('7')
  await one.client.next((message) => message.action === 'checkToken' && 'error' in message)
  tell(7)
  expect(await heard(one.client)).toEqual([])
  expect(await heard(two.client)).toEqual([1])
})

test('another token on the same connection belongs to another customer', async () => {
  const { stage, tell } = await open()
  const { client } = await show(stage, '7')
  client.clear()
  client.send({ action: 'checkToken', token: '8', v: 2, caps: ['private'] })
  await client.next(({ action }) => action === 'checkToken')
  tell(7)
  expect(await heard(client)).toEqual([])
  tell(8)
  expect(await heard(client)).toEqual([1])
})

test('events of one node are sent on another, which numbers them itself', async () => {
  const bus = createLocalBus(createLog('silent'))
  const [one, two] = [await open(bus), await open(bus)]
  const first = await show(one.stage, '7')
  one.tell(7)
  const second = await show(two.stage, '7', { resume: { epoch: first.place.epoch, seq: 1 } })
  expect(second.place.private?.resumed).toBe(false)
  one.tell(7)
  expect([await heard(first.client), await heard(second.client)]).toEqual([[1, 2], [1]])
})

test('when messages of other nodes may be missing, everything is loaded again', async () => {
  const local = createLocalBus(createLog('silent'))
  let lose = () => {}
  const bus: Bus = {
    ...local,
    subscribe(topic, schema, listener, lost) {
      lose = lost ?? lose
      return local.subscribe(topic, schema, listener)
    },
  }
  const { stage } = await open(bus)
  const { client } = await show(stage, '7', { caps: ['seq', 'private', 'rows'] })
  lose()
  const received = () => client.messages.filter((message) => 'seq' in message && message.action !== 'getDepth')
  await expect.poll(received).toEqual(topicNames.map((action, at) => ({ action, seq: at + 1 })))
})

test('changed rows are sent to clients that accept them, in the same sequence, and again after a resume', async () => {
  const { stage, tell, changes } = await open()
  const takes = { caps: ['seq', 'private', 'rows'] }
  const [own, older] = [await show(stage, '7', takes), await show(stage, '7 phone')]
  changes.tell(7, 'addresses', { change: 'insert', row: { id: 1, name: 'cold' } })
  changes.tell(7, 'records', { change: 'update', row: { id: 5, status: 'sent' } })
  tell(7)
  changes.tell(7, 'addresses', { change: 'remove', row: { id: 1 } })
  const rows = [
    { action: 'addresses', seq: 1, change: 'insert', row: { id: 1, name: 'cold' } },
    { action: 'records', seq: 2, change: 'update', row: { id: 5, status: 'sent' } },
    { action: 'balance', seq: 3 },
    { action: 'addresses', seq: 4, change: 'remove', row: { id: 1 } },
  ]
  const seqs = (client: FeedClient) => client.messages.filter((message) => 'seq' in message && message.action !== 'getDepth')
  await Promise.all([heard(own.client), heard(older.client)])
  expect(seqs(own.client)).toEqual(rows)
  expect(seqs(older.client)).toEqual(rows.map(({ seq }) => ({ action: 'balance', seq })))
  const again = await show(stage, '7', { ...takes, resume: { epoch: own.place.epoch, seq: 2 } })
  await heard(again.client)
  expect(seqs(again.client)).toEqual(rows.slice(2))
})

test('a client that stops reading gets all it missed in order, and is closed when the journal does not reach back that far', async () => {
  const { stage, changes } = await open()
  const wide = { caps: ['private', 'rows'] }
  const [slow, lost] = [await show(stage, '7', wide), await show(stage, '8', wide)]
  for (const { client } of [slow, lost]) client.socket.pause()
  const row = { id: 1, note: 'n'.repeat(60_000) }
  const tell = (uid: number) => changes.tell(uid, 'positions', { change: 'update', row })
  // The system takes some megabytes for a client before anything waits here.
  const before = stage.feed.counts().coalesced
  let received = 0
  while (stage.feed.counts().coalesced - before < 20 && received < 900) {
    tell(7)
    received++
    await nextTurn()
  }
  expect(stage.feed.counts().coalesced - before).toBe(20)
  for (let n = 0; n < received + 2 * feedLimits.journalKept; n++) {
    tell(8)
    if (n < received) await nextTurn()
  }
  for (const { client } of [slow, lost]) client.socket.resume()
  const seqs = () =>
    slow.client.messages.flatMap((message) =>
      (message as FeedMessage | ChangeMessage).action === 'positions' ? [(message as ChangeMessage).seq] : [],
    )
  const beats = setInterval(stage.beat, 10)
  try {
    await eventually(() => seqs().length).toBe(received)
    expect(seqs()).toEqual(Array.from({ length: received }, (_, n) => n + 1))
    expect(await lost.client.closed).toBe(1013)
  } finally {
    clearInterval(beats)
  }
  expect(stage.feed.counts()).toMatchObject({ closedSlow: 1, clients: 1 })
})
