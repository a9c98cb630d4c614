import { QueryClient } from '@tanstack/query-core'
import { expect, test } from 'vitest'
import type { ScreenDoc } from '#language/documents/documents.ts'
import { compileScreen } from '#renderer/core/compile.ts'
import { createRegistry } from '#renderer/core/registry.ts'
import { Topics } from '#renderer/core/scope.ts'
import { openSources } from '#renderer/data/data.ts'
import { ScreenStore } from '#renderer/engine/store.ts'

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
  const data = openSources(compileScreen(of, createRegistry([])).sources, store, {
    queries: new QueryClient(),
    api: { call: async () => undefined } as never,
    language: () => 'en',
    pageSize: 2,
    say: (key) => key,
    mayCall: () => true,
    ...more,
  })
  data.start()
  return { topics, store, data }
}
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
