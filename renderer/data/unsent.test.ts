import { QueryClient } from '@tanstack/query-core'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { SourceDoc } from '#language/documents/documents.ts'
import { CallProblem } from '#renderer/calls/api.ts'
import { Topics } from '#renderer/core/scope.ts'
import { unsentOf } from '#renderer/data/unsent.ts'
import type { Engine } from '#renderer/engine/types.ts'

type Answer = unknown | CallProblem
interface Request {
  text: string
  key: string
  client: string
  answer: (value: Answer) => void
}

const doc: SourceDoc = {
  call: 'chat.messages',
  args: { room: { $: 'state.room' } },
  live: 'messages',
  send: { call: 'chat.send', id: 'client', optimistic: { mine: true, words: { $: 'value.text' }, at: { $: 'state.now' } } },
}
const scope = { get: (root: string) => (root === 'state' ? { now: 5, room: '1' } : undefined) }
const args = '{"room":"1"}'
const lost = () => new CallProblem(0, 'network_failed')
const turns = () => vi.advanceTimersByTimeAsync(0)

function start({ uid = '7', newest = 'first' as 'first' | 'last' } = {}) {
  const requests: Request[] = []
  const taken: unknown[] = []
  const topics = new Topics()
  const root = { state: 'customer', uid }
  const engine = {
    queries: new QueryClient(),
    say: (key: string) => key,
    bus: { emit: () => undefined },
    topics: { messages: { about: '', rows: { call: 'chat.messages', key: 'id', newest, by: {} } } },
    session: { root: () => root },
    outer: { subscribe: (topic: string, wake: () => void) => topics.subscribe(topic, wake) },
    feed: { health: () => ({ state: 'connected' }) },
    problems: { words: (problem: CallProblem) => `because ${problem.name}`, take: (problem: unknown) => taken.push(problem) > 0 },
    api: {
      call: (_: string, sent: { text: string; client: string }, { key }: { key: string }) =>
        new Promise((done, fail) =>
          requests.push({
            text: sent.text,
            client: sent.client,
            key,
            answer: (value) => (value instanceof CallProblem ? fail(value) : done(value)),
          }),
        ),
    },
  } as unknown as Engine
  const unsent = unsentOf(engine)
  let wakes = 0
  const over = unsent.over(doc, () => wakes++)
  let answer: unknown = { list: [{ id: 1, client: 'x' }], total: 1 }
  const lay = () => ((over.lay(answer, args) ?? answer) as { list: Record<string, unknown>[] }).list
  return {
    unsent,
    over,
    requests,
    taken,
    engine,
    wakes: () => wakes,
    list: (rows: unknown[]) => {
      answer = { list: rows, total: rows.length }
    },
    say: (text: string) => unsent.add(doc, scope, { text, picture: undefined }),
    shown: () => lay().map((row) => [row.text ?? row.id, row.sending].filter(Boolean).join(' ')),
    rows: lay,
    become: (name: string) => {
      root.uid = name
      topics.wake('session.uid')
    },
    reply: async (value: Answer) => {
      requests.at(-1)!.answer(value)
      await turns()
    },
  }
}

const tab = new Map<string, string>()
beforeEach(() => {
  vi.useFakeTimers()
  tab.clear()
  vi.stubGlobal('sessionStorage', {
    get length() {
      return tab.size
    },
    key: (i: number) => [...tab.keys()][i] ?? null,
    getItem: (key: string) => tab.get(key) ?? null,
    setItem: (key: string, text: string) => tab.set(key, text),
    removeItem: (key: string) => tab.delete(key),
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('a row that is sent', () => {
  test('stands at once, made of the arguments and of what the document adds, and says when it was sent', async () => {
    const at = start()
    at.say('a')
    const [row] = at.rows()
    expect(row).toEqual({ client: at.requests[0]!.key, text: 'a', words: 'a', mine: true, at: 5, sending: 'pending' })
    expect([at.requests[0]!.client, at.wakes()]).toEqual([at.requests[0]!.key, 1])
    expect(at.rows()[0]).toBe(row)
    await at.reply({ id: 2, client: row!.client, at: 6 })
    expect(at.rows()[0]).toEqual({ ...row, id: 2, at: 6, sending: 'sent' })
  })

  test.each([
    ['pushed before the answer', false],
    ['pushed after the answer', true],
  ])('is replaced by the row of the server, %s, and does not come back when that is removed', async (_, first) => {
    const at = start()
    at.say('a')
    const { client } = at.requests[0]!
    if (first) await at.reply({})
    at.list([{ id: 2, client }, { id: 1 }])
    expect(at.shown()).toEqual(['2', '1'])
    if (!first) await at.reply({})
    at.list([{ id: 1 }])
    expect(at.shown()).toEqual(['1'])
  })

  test('stands where the newest rows of the list stand', () => {
    const at = start({ newest: 'last' })
    at.say('a')
    at.say('b')
    expect(at.shown()).toEqual(['1', 'a pending', 'b pending'])
  })

  test('belongs to the list with these arguments alone', () => {
    const at = start()
    at.say('a')
    expect(at.over.lay({ list: [] }, '{"room":"2"}')).toBeUndefined()
    expect(at.over.lay(undefined, args)).toBeUndefined()
  })
})

test('two quick ones go out one after the other, each with a key of its own', async () => {
  const at = start()
  at.say('a')
  at.say('b')
  expect(at.shown()).toEqual(['b pending', 'a pending', '1'])
  expect(at.requests.map(({ text }) => text)).toEqual(['a'])
  await at.reply({})
  expect(at.requests.map(({ text }) => text)).toEqual(['a', 'b'])
  expect(new Set(at.requests.map(({ key }) => key)).size).toBe(2)
})

describe('a refusal', () => {
  test('marks its row with the reason, and the next one goes out', async () => {
    const at = start()
    at.say('a')
    at.say('b')
    await at.reply(new CallProblem(4000, 'text_too_long'))
    expect(at.rows()[1]).toMatchObject({ text: 'a', sending: 'failed', sendingProblem: 'because text_too_long' })
    expect(at.requests.map(({ text }) => text)).toEqual(['a', 'b'])
  })

  test('that is about the session is answered by the session, and the row waits', async () => {
    const at = start()
    at.say('a')
    await at.reply(new CallProblem(401, 'unauthorized'))
    expect(at.taken).toHaveLength(1)
    expect(at.rows()[0]).not.toHaveProperty('sendingProblem')
    expect(at.shown()).toEqual(['a failed', '1'])
  })

  test('can be sent again with the same key, refused again, and left', async () => {
    const at = start()
    at.say('a')
    const { key } = at.requests[0]!
    for (const _ of [1, 2]) {
      await at.reply(new CallProblem(4000, 'text_too_long'))
      expect(at.shown()).toEqual(['a failed', '1'])
      at.unsent.discard('another')
      at.unsent.resend(key)
      expect(at.shown()).toEqual(['a pending', '1'])
    }
    expect(at.requests.map((one) => one.key)).toEqual([key, key, key])
    at.unsent.discard(key)
    expect(at.shown()).toEqual(['a pending', '1'])
    await at.reply(new CallProblem(4000, 'text_too_long'))
    at.unsent.discard(key)
    expect(at.shown()).toEqual(['1'])
  })
})

describe('a lost answer', () => {
  async function fail(at: ReturnType<typeof start>) {
    for (const wait of [1_000, 2_000, 4_000, 0]) {
      await at.reply(lost())
      await vi.advanceTimersByTimeAsync(wait)
    }
  }

  test('is tried again with the same key, and those behind it wait; then all of them can be sent again, in order', async () => {
    const at = start()
    at.say('a')
    at.say('b')
    await fail(at)
    expect(at.requests.map(({ text }) => text)).toEqual(['a', 'a', 'a', 'a'])
    expect(at.shown()).toEqual(['b failed', 'a failed', '1'])
    const b = String(at.rows()[0]!.client)
    at.unsent.resend(b)
    expect(at.requests.at(-1)!.key).toBe(at.requests[0]!.key)
    await at.reply({})
    expect(at.requests.at(-1)).toMatchObject({ text: 'b', key: b })
  })

  test('is found in the list, and not asked for any more', async () => {
    const at = start()
    at.say('a')
    await at.reply(lost())
    at.list([{ id: 2, client: at.requests[0]!.client }])
    expect(at.shown()).toEqual(['2'])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(at.requests.map(({ text }) => text)).toEqual(['a', 'a'])
    await at.reply(lost())
    await vi.advanceTimersByTimeAsync(60_000)
    expect(at.requests).toHaveLength(2)
  })
})

describe('on the device', () => {
  test('after a reload it stands as not sent, and goes out with its key when the customer says so', async () => {
    const before = start()
    before.say('a')
    before.say('b')
    await vi.advanceTimersByTimeAsync(1_000)
    const at = start()
    expect(at.shown()).toEqual(['b failed', 'a failed', '1'])
    expect(at.requests).toEqual([])
    at.unsent.resend(before.requests[0]!.key)
    expect(at.requests.map(({ text, key }) => [text, key])).toEqual([['a', before.requests[0]!.key]])
  })

  test('what was sent is not kept, and nobody else sees what was not', async () => {
    const before = start()
    before.say('a')
    await before.reply({})
    before.say('b')
    await vi.advanceTimersByTimeAsync(1_000)
    expect(start({ uid: '8' }).shown()).toEqual(['1'])
    const at = start({ uid: '8' })
    at.become('7')
    expect(at.shown()).toEqual(['b failed', '1'])
  })

  test.each(['nonsense', '{"x":["unsent",null]}', '{"x":["unsent",{"id":"x"}]}'])('what is kept as %s is nothing', (text) => {
    const before = start()
    before.say('a')
    vi.advanceTimersByTime(1_000)
    expect(tab.size).toBe(1)
    for (const key of tab.keys()) tab.set(key, text)
    expect(start().shown()).toEqual(['1'])
  })
})
