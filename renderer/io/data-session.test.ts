import { QueryClient } from '@tanstack/query-core'
import { beforeAll, expect, test } from 'vitest'
import type { ScreenDoc } from '#language/documents.ts'
import { compileScreen } from '#renderer/core/compile.ts'
import { createRegistry } from '#renderer/core/registry.ts'
import { Topics } from '#renderer/core/scope.ts'
import { type LiveEvent, openSources, readyForLive } from '#renderer/io/data.ts'
import { ScreenStore } from '#renderer/io/store.ts'

const doc = {
  kind: 'screen',
  id: 's',
  format: 1,
  data: { mine: { call: 'wallet.list' }, all: { call: 'market.list' } },
  body: [{ id: 'a', widget: 'none' }],
} as unknown as ScreenDoc
const stage = (of: ScreenDoc, more: Partial<Parameters<typeof openSources>[2]>) => {
  const topics = new Topics()
  const store = new ScreenStore({ get: () => ({}), subscribe: (topic, wake) => topics.subscribe(topic, wake) }, {}, {})
  let push: (event: LiveEvent) => void = () => undefined
  const data = openSources(compileScreen(of, createRegistry([])).sources, store, {
    queries: new QueryClient(),
    api: { call: async () => undefined } as never,
    language: () => 'en',
    pageSize: 2,
    say: (key) => key,
    mayCall: () => true,
    onLive: (cb) => {
      push = cb
      return () => undefined
    },
    ...more,
  })
  data.start()
  return { topics, store, data, push: (event: LiveEvent) => push(event) }
}
beforeAll(readyForLive)
const settled = () => new Promise((done) => setTimeout(done, 5))

test('a source of customers waits for the login, and asks for nothing before it or after it', async () => {
  const asked: string[] = []
  let may = false
  const { data, topics } = stage(doc, {
    api: { call: async (name: string) => asked.push(name) } as never,
    mayCall: (name) => may || name !== 'wallet.list',
  })
  await settled()
  expect(asked).toEqual(['market.list'])
  expect(data.status('mine')).toEqual({ status: 'idle' })
  may = true
  topics.wake('session.logged_in')
  await settled()
  expect(asked).toEqual(['market.list', 'wallet.list'])
  may = false
  topics.wake('session.logged_in')
  await data.refresh(['all'])
  expect(asked).toEqual(['market.list', 'wallet.list', 'market.list'])
  data.stop()
})

const row = (id: number, price: string) => ({ id, price })
const pushed = (id: number, price: string): LiveEvent => ({ topic: 'rows', where: ['id', id], change: { price } })
const live = (pages: boolean) =>
  ({
    ...doc,
    data: { rows: { call: 'market.list', live: 'rows', keepMs: 20, ...(pages && { pages }) } },
  }) as unknown as ScreenDoc

test('what was pushed stays when an answer grows stale, while one is asked for, and yields to the next answer', async () => {
  let answer: () => void = () => undefined
  let calls = 0
  const { store, data, push } = stage(live(false), {
    api: {
      call: async () => {
        calls += 1
        if (calls > 1) await new Promise<void>((done) => (answer = done))
        return { list: [row(1, '10'), row(2, '20')] }
      },
    } as never,
  })
  const prices = () => (store.get('data') as { rows: { list: { price: string }[] } }).rows.list.map(({ price }) => price)
  await settled()
  push(pushed(2, '21'))
  expect(prices()).toEqual(['10', '21'])
  await new Promise((done) => setTimeout(done, 40))
  expect(prices()).toEqual(['10', '21'])
  const asked = data.refresh(['rows'])
  await settled()
  expect(calls).toBe(2)
  expect(prices()).toEqual(['10', '21'])
  answer()
  await asked
  await settled()
  expect(prices()).toEqual(['10', '20'])
  data.stop()
})

test('what was pushed stays when one page more is loaded, and yields when all are loaded anew', async () => {
  const { store, data, push } = stage(live(true), {
    api: {
      call: async (_: string, { page }: { page: number }) => ({ list: [row(2 * page - 1, '1'), row(2 * page, '2')], total: 4 }),
    } as never,
  })
  const prices = () => (store.get('data') as { rows: { list: { price: string }[] } }).rows.list.map(({ price }) => price)
  await settled()
  push(pushed(1, '9'))
  expect(prices()).toEqual(['9', '2'])
  data.more('rows')
  await settled()
  expect(prices()).toEqual(['9', '2', '1', '2'])
  push(pushed(4, '8'))
  expect(prices()).toEqual(['9', '2', '1', '8'])
  await data.refresh(['rows'])
  await settled()
  expect(prices()).toEqual(['1', '2', '1', '2'])
  data.stop()
})
