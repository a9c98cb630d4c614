import { QueryClient } from '@tanstack/query-core'
import { afterEach, describe, expect, test } from 'vitest'
import type { ScreenDoc } from '#language/documents/documents.ts'
import { CallProblem } from '#renderer/calls/api.ts'
import { compileScreen } from '#renderer/core/compile.ts'
import { createRegistry } from '#renderer/core/registry.ts'
import { openSources, type ScreenData } from '#renderer/data/data.ts'
import { type Changing, outdate, renew, renewShown } from '#renderer/data/data-live.ts'
import { ScreenStore } from '#renderer/engine/store.ts'

type Source = NonNullable<ScreenDoc['data']>[string]
interface Request {
  args: Record<string, unknown>
  answer: (value: unknown) => void
  fail: (problem: unknown) => void
}

const settled = () => new Promise((done) => setTimeout(done, 5))
const opened: ScreenData[] = []
afterEach(() => {
  for (const data of opened.splice(0)) data.stop()
})

/** One screen with the source `x`. Requests wait until the test answers them; one that was given up stays without effect. */
function screen(source: Partial<Source> = {}, queries = new QueryClient({ defaultOptions: { queries: { networkMode: 'always' } } })) {
  const requests: Request[] = []
  const doc = { kind: 'screen', id: 's', format: 1, data: { x: { call: 'c', ...source } }, body: [{ id: 'a', widget: 'none' }] }
  const store = new ScreenStore({ get: () => ({}), subscribe: () => () => undefined }, {}, { pair: 'a' })
  const data = openSources(compileScreen(doc as unknown as ScreenDoc, createRegistry([])).sources, store, {
    queries,
    api: {
      call: (_: string, args: Record<string, unknown>) =>
        new Promise((answer, fail) => requests.push({ args, answer, fail: (problem) => fail(problem) })),
    } as never,
    language: () => 'en',
    pageSize: 2,
    say: (key) => key,
    mayCall: () => true,
  })
  opened.push(data)
  data.start()
  const shown = () => (store.get('data') as { x?: unknown }).x
  return { queries, requests, store, data, shown }
}
/** The same, with its first answer. */
async function answered(source: Partial<Source> = {}, first: unknown = 'first', queries?: QueryClient) {
  const at = screen(source, queries)
  at.requests[0]!.answer(first)
  await settled()
  return at
}

/** What a call of an action has to do with: the topic `rows` carries the rows of the call `c`. */
const changing = (queries: QueryClient, { isPublic = false, state = 'connected' } = {}): Changing => ({
  queries,
  api: { isPublic: () => isPublic },
  feed: { health: () => ({ state }) },
  topics: { rows: { about: '', rows: { call: 'c', key: 'id', newest: 'first', by: {} } }, other: { about: '' } },
})

const page = (...ids: number[]) => ({ list: ids, total: 4 })
const listOf = (shown: unknown) => (shown as { list: number[] }).list

describe('an answer to a refresh was asked for after it', () => {
  test('though one is cached, and young', async () => {
    const { requests, data, shown } = await answered({ keepMs: 60_000 })
    const done = data.refresh(['x'])
    expect(requests).toHaveLength(2)
    requests[1]!.answer('second')
    expect(await done).toBe(true)
    expect(shown()).toBe('second')
  })

  test.each([['the first'], ['another']])('though %s is on its way, which may come before it or after it', async (which) => {
    const early = which === 'the first' ? screen() : await answered()
    const { requests, data, shown } = early
    if (which !== 'the first') void data.refresh(['x'])
    const old = requests.at(-1) as Request
    const done = data.refresh(['x'])
    old.answer('old')
    await settled()
    expect(shown()).toBe(which === 'the first' ? undefined : 'first')
    requests.at(-1)!.answer('new')
    expect(await done).toBe(true)
    expect(shown()).toBe('new')
    await settled()
    expect(shown()).toBe('new')
    expect(requests).toHaveLength(which === 'the first' ? 2 : 3)
  })

  test('though the next page is on its way', async () => {
    const { requests, data, shown } = await answered({ pages: true }, page(1, 2))
    data.more('x')
    const done = data.refresh(['x'])
    requests[1]!.answer(page(3, 4))
    await settled()
    expect(requests[2]!.args.page).toBe(1)
    requests[2]!.answer(page(5, 6))
    expect(await done).toBe(true)
    expect(listOf(shown())).toEqual([5, 6])
  })

  test('though the next page is wanted meanwhile: it comes after it', async () => {
    const { requests, data, shown } = await answered({ pages: true }, page(1, 2))
    const done = data.refresh(['x'])
    data.more('x')
    await settled()
    expect(requests).toHaveLength(2)
    requests[1]!.answer(page(2, 3))
    expect(await done).toBe(true)
    await settled()
    expect(requests[2]!.args.page).toBe(2)
    requests[2]!.answer(page(4))
    await settled()
    expect(listOf(shown())).toEqual([2, 3, 4])
    expect(requests).toHaveLength(3)
  })
})

describe('no answer anew is said to be none', () => {
  test('when it was refused; what was there stays', async () => {
    const { requests, data, shown } = await answered()
    const done = data.refresh(['x'])
    requests[1]!.fail(new CallProblem(4301, 'price_stale'))
    expect(await done).toBe(false)
    expect(data.status('x')).toMatchObject({ status: 'failed', data: 'first' })
    expect(shown()).toBe('first')
  })
  test('when something else is asked for by then', async () => {
    const { requests, data, store } = await answered({ args: { pair: { $: 'state.pair' } } })
    const done = data.refresh(['x'])
    store.setState('pair', 'b')
    for (const { answer } of requests.slice(1)) answer('late')
    expect(await done).toBe(false)
    expect(requests.at(-1)!.args).toEqual({ pair: 'b' })
  })
  test('when the screen was left', async () => {
    const { requests, data } = await answered()
    const done = data.refresh(['x'])
    data.stop()
    requests[1]!.answer('late')
    expect(await done).toBe(false)
  })
})

describe('after a call of an action', () => {
  test('what is on its way is asked for anew', async () => {
    const { queries, requests, shown } = screen()
    outdate(changing(queries))
    requests[0]!.answer('before')
    await settled()
    expect(shown()).toBeUndefined()
    requests[1]!.answer('after')
    await settled()
    expect(shown()).toBe('after')
    expect(requests).toHaveLength(2)
  })
  test.each([
    ['what the screen shows is not asked for by itself, but by the next screen', 30_000, 1],
    ['content stays', 300_000, 0],
  ])('%s', async (_what, keepMs, more) => {
    const { queries, requests, data } = await answered({ keepMs })
    outdate(changing(queries))
    await settled()
    expect(requests).toHaveLength(1)
    data.stop()
    const next = screen({ keepMs }, queries)
    expect(next.shown()).toBe('first')
    expect(next.requests).toHaveLength(more)
  })
})

describe('after a call with a key', () => {
  test.each<[name: string, source: Partial<Source>, more: Parameters<typeof changing>[1], asked: number]>([
    ['what is shown is asked for again, however young', { keepMs: 30_000 }, {}, 2],
    ['content stays', { keepMs: 300_000 }, {}, 1],
    ['what everybody may read stays', {}, { isPublic: true }, 1],
    ['rows that the server pushes stay', { live: 'rows' }, {}, 1],
    ['rows are asked for while nothing can be pushed', { live: 'rows' }, { state: 'down' }, 2],
    ['a topic without rows tells nothing by itself', { live: 'other' }, {}, 2],
  ])('%s', async (_name, source, more, asked) => {
    const { queries, requests, shown } = await answered(source)
    outdate(changing(queries, more))
    renewShown(changing(queries, more))
    await settled()
    expect(requests).toHaveLength(asked)
    requests[1]?.answer('second')
    await settled()
    expect(shown()).toBe(asked === 2 ? 'second' : 'first')
  })

  test('what was asked for since is not asked for once more', async () => {
    const { queries, requests, data } = await answered()
    outdate(changing(queries))
    const done = data.refresh(['x'])
    requests[1]!.answer('second')
    expect(await done).toBe(true)
    renewShown(changing(queries))
    await settled()
    expect(requests).toHaveLength(2)
  })

  test('what no screen shows is not asked for', async () => {
    const { queries, requests, data } = await answered({ keepMs: 30_000 })
    data.stop()
    outdate(changing(queries))
    renewShown(changing(queries))
    await settled()
    expect(requests).toHaveLength(1)
  })
})

describe('after word of the server', () => {
  const any = () => true
  test('what is shown is asked for again', async () => {
    const { queries, requests } = await answered({ keepMs: 60_000 })
    renew(queries, any)
    expect(requests).toHaveLength(2)
  })
  test.each([1, 5])('what is on its way is let come in, and asked for once more after %i words', async (times) => {
    const { queries, requests, shown } = screen()
    for (let i = 0; i < times; i++) renew(queries, any)
    await settled()
    expect(requests).toHaveLength(1)
    requests[0]!.answer('before')
    await settled()
    expect(shown()).toBe('before')
    expect(requests).toHaveLength(2)
    requests[1]!.answer('after')
    await settled()
    expect(shown()).toBe('after')
    expect(requests).toHaveLength(2)
  })
  test('what has failed is asked for at once, not when it would be tried again', async () => {
    const { queries, requests, data, shown } = await answered()
    void data.refresh(['x'])
    requests[1]!.fail(new CallProblem(0, 'network'))
    await settled()
    expect(requests).toHaveLength(2)
    renew(queries, any)
    expect(requests).toHaveLength(3)
    renew(queries, any)
    expect(requests).toHaveLength(3)
    requests[2]!.answer('second')
    await settled()
    expect(shown()).toBe('second')
    expect(requests).toHaveLength(4)
  })
  test('what another screen kept is not asked for now, and not taken for true when it is shown', async () => {
    const { queries, requests, data } = await answered({ keepMs: 60_000 })
    data.stop()
    renew(queries, any)
    expect(requests).toHaveLength(1)
    expect(screen({ keepMs: 60_000 }, queries).requests).toHaveLength(1)
  })
})
