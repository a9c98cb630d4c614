import { QueryClient } from '@tanstack/query-core'
import { expect, test } from 'vitest'
import contract from '#contract/manifest.json'
import routes from '#contract/routes.user.json'
import type { ScreenDoc } from '#language/documents/documents.ts'
import { compilePath, readPath } from '#language/expression/expression.ts'
import type { CallManifest } from '#language/types/catalog.ts'
import { rowKeysOf } from '#language/types/row-keys.ts'
import { createApi, type RouteTable } from '#renderer/calls/api.ts'
import { compileScreen } from '#renderer/core/compile.ts'
import { createRegistry } from '#renderer/core/registry.ts'
import { openSources } from '#renderer/data/data.ts'
import { ScreenStore } from '#renderer/engine/store.ts'

const settled = () => new Promise((done) => setTimeout(done, 5))

test('rows are looked up by the key that the contract declares, in each answer of a source', async () => {
  let usd = '10'
  const api = createApi({
    baseUrl: '/api',
    routes: routes as unknown as RouteTable,
    token: () => 'secret',
    language: () => 'en',
    agent: 'a',
    adapter: async (config) => {
      const accounts = [
        { id: 1, kind: 'legal', usd: '1' },
        { id: 2, kind: 'change', usd },
      ]
      return { status: 200, statusText: '', headers: {}, config, data: JSON.stringify({ code: 1, msg: '', data: { accounts } }) }
    },
  })
  const store = new ScreenStore({ get: () => ({}), subscribe: () => () => undefined }, {}, { kind: 'change', id: 2 })
  const doc = { kind: 'screen', id: 's', format: 1, data: { info: { call: 'wallet.getWalletInfo' } }, body: [{ id: 'a', widget: 'none' }] }
  const data = openSources(compileScreen(doc as unknown as ScreenDoc, createRegistry([])).sources, store, {
    queries: new QueryClient({ defaultOptions: { queries: { networkMode: 'always' } } }),
    api,
    language: () => 'en',
    pageSize: 2,
    say: (key) => key,
    mayCall: () => true,
  })
  const read = (path: string) => readPath(store, compilePath(path))
  data.start()
  await settled()
  expect(read('data.info.accounts[state.kind].usd')).toBe('10')
  expect(read('data.info.accounts[state.id].usd')).toBeUndefined()
  // The cache copies what changed in the answer, so the list is another one.
  usd = '11'
  await data.refresh(['info'])
  await settled()
  expect(read('data.info.accounts[state.kind].usd')).toBe('11')
  data.stop()
})

test('every declared key that is none of the usual is in the routes', () => {
  const calls = contract as unknown as CallManifest[]
  const keys = calls.filter(({ auth }) => auth === 'user').flatMap(({ name, output }) => rowKeysOf(output).map((key) => [name, key]))
  expect(keys).toContainEqual(['currency.userCurrencyList', ['list[].accounts', 'kind']])
  for (const [name, [list, key]] of keys as [string, [string, string]][])
    expect((routes as Record<string, string[]>)[name]).toContain(`rows:${list}=${key}`)
})
