import { describe, expect, test } from 'vitest'
import { createApi, type Route } from '#renderer/calls/api.ts'

describe('rows of customers that come later', () => {
  const customers: Record<string, Route> = {
    'wallet.withdraw': ['POST', '/wallet/withdraw', 'user', 'keyed'],
    'wallet.log': ['GET', '/wallet/log', 'user'],
  }
  function late(customerRoutes: () => Promise<Record<string, Route>>) {
    const urls: unknown[] = []
    const failures: string[] = []
    const api = createApi({
      baseUrl: '/api',
      routes: { 'market.kline': ['POST', '/market/kline', 'none'] },
      customerRoutes,
      token: () => 'secret',
      language: () => 'ja',
      agent: 'a1',
      failed: ({ name }) => failures.push(name),
      adapter: async (config) => {
        urls.push(config.url)
        return { status: 200, statusText: '', headers: {}, config, data: JSON.stringify({ code: 1, msg: '', data: 5 }) }
      },
    })
    return { api, urls, failures }
  }

  test('are fetched once, when the first of them is called', async () => {
    let fetched = 0
    const { api, urls } = late(async () => {
      fetched += 1
      return customers
    })
    await api.call('market.kline', {})
    expect(fetched).toBe(0)
    await Promise.all([api.call('wallet.withdraw', {}), api.call('wallet.log', {})])
    await api.call('wallet.log', {})
    expect(urls).toEqual(['/market/kline', '/wallet/withdraw', '/wallet/log', '/wallet/log'])
    expect(fetched).toBe(1)
  })

  test('are known to be theirs before they are here', async () => {
    const { api } = late(async () => customers)
    expect(['market.kline', 'wallet.log'].map(api.needsUser)).toEqual([false, true])
    expect(await Promise.all(['wallet.withdraw', 'wallet.log', 'market.kline', 'no.such'].map((name) => api.keyed?.(name)))).toEqual([
      true,
      false,
      false,
      false,
    ])
  })

  test('that cannot be had are a problem of the app, and are fetched again', async () => {
    let whole = false
    const { api, urls, failures } = late(async () => {
      if (!whole) throw new Error('no chunk')
      return customers
    })
    await expect(api.call('wallet.withdraw', {})).rejects.toMatchObject({ name: 'chunk_load_failed', code: 0 })
    expect(urls).toEqual([])
    expect(failures).toEqual(['chunk_load_failed'])
    whole = true
    await api.call('wallet.withdraw', {})
    expect(urls).toEqual(['/wallet/withdraw'])
  })

  test('do not hold a call that there is not', async () => {
    const { api, urls } = late(async () => customers)
    await expect(api.call('constructor', {})).rejects.toMatchObject({ name: 'not_found' })
    expect(urls).toEqual([])
  })
})
