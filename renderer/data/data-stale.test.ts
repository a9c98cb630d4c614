import { QueryClient } from '@tanstack/query-core'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { topics } from '#contract/topics.ts'
import type { ScreenDoc } from '#language/documents/documents.ts'
import { CallProblem } from '#renderer/calls/api.ts'
import { compileScreen } from '#renderer/core/compile.ts'
import { createRegistry } from '#renderer/core/registry.ts'
import { Topics } from '#renderer/core/scope.ts'
import { openSources, type ScreenData } from '#renderer/data/data.ts'
import { outdate, takeTopicMessage } from '#renderer/data/data-live.ts'
import { ScreenStore } from '#renderer/engine/store.ts'

type Source = NonNullable<ScreenDoc['data']>[string]
interface Request {
  args: { tab?: string }
  answer: (value: unknown) => void
  fail: (problem: unknown) => void
}

beforeEach(() => {
  vi.useFakeTimers()
})
const opened: ScreenData[] = []
afterEach(() => {
  for (const data of opened.splice(0)) data.stop()
  vi.useRealTimers()
})
const soon = () => vi.advanceTimersByTimeAsync(5)

/** One screen whose source `x` asks for the tab that is chosen. Requests wait until the test answers them. */
function screen(source: Partial<Source> = {}) {
  const queries = new QueryClient({ defaultOptions: { queries: { networkMode: 'always' } } })
  const requests: Request[] = []
  const outer = new Topics()
  const world = { may: true, language: 'en' }
  const doc = {
    kind: 'screen',
    id: 's',
    format: 1,
    body: [{ id: 'a', widget: 'none' }],
    data: { x: { call: 'c', args: { tab: { $: 'state.tab' } }, live: 'records', ...source } },
  }
  const store = new ScreenStore({ get: () => ({}), subscribe: (topic, wake) => outer.subscribe(topic, wake) }, {}, { tab: 'a', on: true })
  const data = openSources(compileScreen(doc as unknown as ScreenDoc, createRegistry([])).sources, store, {
    queries,
    api: {
      call: (_: string, args: Record<string, unknown>) =>
        new Promise((answer, fail) => requests.push({ args, answer, fail: (problem) => fail(problem) })),
    } as never,
    language: () => world.language,
    pageSize: 2,
    say: (key) => key,
    mayCall: () => world.may,
  })
  opened.push(data)
  data.start()
  return {
    queries,
    requests,
    store,
    data,
    world,
    outer,
    choose: (tab: unknown) => store.setState('tab', tab),
    /** Returns the value that guards, rules and actions read, the value that is drawn, and the state. */
    seen: () => [(store.get('data') as { x?: unknown }).x, (store.drawn.get('data') as { x?: unknown }).x, data.status('x')?.status],
    tabs: () => requests.map(({ args }) => args.tab),
  }
}
async function answered(source: Partial<Source> = {}) {
  const at = screen(source)
  at.requests[0]!.answer('of a')
  await soon()
  expect(at.seen()).toEqual(['of a', 'of a', 'ready'])
  return at
}

describe('data that answers other arguments', () => {
  test('is drawn and read by nobody, until the answer to the present ones comes', async () => {
    const at = await answered()
    at.choose('b')
    expect(at.seen()).toEqual([undefined, 'of a', 'stale'])
    at.requests[1]!.answer('of b')
    await soon()
    expect(at.seen()).toEqual(['of b', 'of b', 'ready'])
  })

  test('counts again when the arguments are what they were', async () => {
    const at = await answered()
    at.choose('b')
    at.choose('a')
    expect(at.seen()).toEqual(['of a', 'of a', 'ready'])
  })

  test('counts as what is true where its source keeps it', async () => {
    const at = await answered({ keep: true })
    at.choose('b')
    expect(at.seen()).toEqual(['of a', 'of a', 'ready'])
  })

  test('goes when the answer to the present ones is a refusal', async () => {
    const at = await answered()
    at.choose('b')
    at.requests[1]!.fail(new CallProblem(4004, 'not_found'))
    await soon()
    expect(at.seen()).toEqual([undefined, undefined, 'failed'])
  })

  test.each<[string, Partial<Source>, unknown]>([
    ['an argument is missing', {}, undefined],
    ['the condition is closed', { when: { '===': [{ var: 'state.tab' }, 'a'] } }, 'b'],
  ])('goes when %s: nothing will come in its place', async (_name, source, tab) => {
    const at = await answered(source)
    at.choose(tab)
    expect(at.seen()).toEqual([undefined, undefined, 'idle'])
    at.choose('a')
    expect(at.seen()).toEqual(['of a', 'of a', 'ready'])
  })

  test('is no answer in another language: that one answers the same arguments', async () => {
    const at = await answered()
    at.world.language = 'fr'
    at.choose('b')
    at.choose('a')
    expect(at.seen()).toEqual(['of a', 'of a', 'ready'])
  })

  test('is marked for pages too, and no page is added to it', async () => {
    const at = screen({ pages: true })
    at.requests[0]!.answer({ list: [1, 2], total: 4 })
    await soon()
    at.choose('b')
    expect(at.seen()).toMatchObject([undefined, { list: [1, 2] }, 'stale'])
    at.data.more('x')
    expect(at.tabs()).toEqual(['a', 'b'])
  })

  test('stays marked when a change is told, which belongs to the answer that comes', async () => {
    const at = screen()
    at.requests[0]!.answer({ list: [{ id: 1, n: 1 }] })
    await soon()
    at.choose('b')
    takeTopicMessage(at.queries, { topic: 'records', change: 'update', row: { id: 1, n: 2 } }, topics)
    await soon()
    expect(at.seen()).toEqual([undefined, { list: [{ id: 1, n: 1 }] }, 'stale'])
    expect(at.tabs()).toEqual(['a', 'b'])
    at.requests[1]!.answer({ list: [{ id: 1, n: 1 }] })
    await soon()
    expect(at.tabs()).toEqual(['a', 'b', 'b'])
  })
})

describe('a source that may not load', () => {
  type Turn = (at: Awaited<ReturnType<typeof answered>>) => void
  const closed: [string, Partial<Source>, Turn][] = [
    ['because its condition is closed', { when: { var: 'state.on' } }, ({ store }) => store.setState('on', false)],
    ['because an argument is missing', {}, ({ choose }) => choose(undefined)],
    [
      'because nobody is logged in',
      {},
      ({ world, outer }) => {
        world.may = false
        outer.wake('session.logged_in')
      },
    ],
  ]
  test.each(closed)('%s does not load by a refresh', async (_name, source, turn) => {
    const at = await answered(source)
    turn(at)
    expect(await at.data.refresh(['x'])).toBe(false)
    expect(at.requests).toHaveLength(1)
  })

  test.each(closed)('%s does not load by a push', async (_name, source, turn) => {
    const at = await answered(source)
    turn(at)
    takeTopicMessage(at.queries, { topic: 'records' }, topics)
    await soon()
    expect(at.requests).toHaveLength(1)
  })

  test('is not asked anew after a call, although its question was on its way when it was closed', async () => {
    const at = screen({ when: { var: 'state.on' } })
    at.store.setState('on', false)
    outdate({ queries: at.queries, api: {}, topics, feed: { health: () => ({ state: 'connected' }) } })
    await soon()
    expect(at.requests).toHaveLength(1)
  })

  test('loads by a refresh as soon as it may', async () => {
    const at = screen({ when: { '===': [{ var: 'state.tab' }, 'b'] } })
    expect(await at.data.refresh(['x'])).toBe(false)
    at.choose('b')
    void at.data.refresh(['x'])
    await soon()
    expect(at.tabs().at(-1)).toBe('b')
  })
})

describe('debounceMs', () => {
  test('waits until the arguments have stood still, and is stale meanwhile', async () => {
    const at = await answered({ debounceMs: 300 })
    for (const tab of ['b', 'bc', 'bcd']) {
      at.choose(tab)
      await vi.advanceTimersByTimeAsync(200)
    }
    expect(at.seen()).toEqual([undefined, 'of a', 'stale'])
    expect(at.tabs()).toEqual(['a'])
    await vi.advanceTimersByTimeAsync(100)
    expect(at.tabs()).toEqual(['a', 'bcd'])
    at.requests[1]!.answer('of bcd')
    await soon()
    expect(at.seen()).toEqual(['of bcd', 'of bcd', 'ready'])
  })

  test('does not hold back the first answer, nor one after the source was closed', async () => {
    const at = screen({ debounceMs: 300 })
    expect(at.tabs()).toEqual(['a'])
    at.choose(undefined)
    at.choose('b')
    expect(at.tabs()).toEqual(['a', 'b'])
  })

  test('asks nothing when the arguments are what they were before it is over', async () => {
    const at = await answered({ debounceMs: 300 })
    at.choose('b')
    at.choose('a')
    expect(at.seen()).toEqual(['of a', 'of a', 'ready'])
    await vi.advanceTimersByTimeAsync(600)
    expect(at.tabs()).toEqual(['a'])
  })

  test('is over at once for a refresh', async () => {
    const at = await answered({ debounceMs: 300 })
    at.choose('b')
    void at.data.refresh(['x'])
    await vi.advanceTimersByTimeAsync(600)
    expect(at.tabs()).toEqual(['a', 'b'])
    at.requests.at(-1)!.answer('of b')
    await soon()
    expect(at.seen()).toEqual(['of b', 'of b', 'ready'])
  })

  test('ends with its screen', async () => {
    const at = await answered({ debounceMs: 300 })
    at.choose('b')
    at.data.stop()
    await vi.advanceTimersByTimeAsync(600)
    expect(at.tabs()).toEqual(['a'])
  })
})
