import { expect, test } from 'vitest'
import { createTradingStore } from '#api-server/trading/trading.store.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { startApi, type TestApi } from '#tests/support/servers/api.ts'

onEngines('the terms of trading', (engine) => {
  test('a change is a new version, and counts at once', async () => {
    const api: TestApi = await startApi({ place: await engine.place() })
    try {
      const set = async (fields: Record<string, string>) =>
        (await api.post('/test/instrument', { symbol: 'BTCUSDT', product: 'contract', ...fields })).json()
      const store = createTradingStore(api.database)
      expect(await set({ terms: '{"fee_rate":"0.001"}' })).toMatchObject({ code: 1, data: { version: 2 } })
      const [now, first] = await store.history('contract', 'BTCUSDT')
      expect([now!.terms, first!.terms]).toMatchObject([
        { fee_rate: '0.001', lot_size: '0.01' },
        { fee_rate: '0.0005', lot_size: '0.01' },
      ])
      expect(await store.current()).toContainEqual(expect.objectContaining({ symbol: 'BTCUSDT', product: 'contract', version: 2 }))

      expect(await set({ terms: '{"fee_rate":1}' })).toMatchObject({ name: 'parameter_error', field: 'terms' })
      expect(await set({ terms: 'no JSON' })).toMatchObject({ name: 'parameter_error', field: 'terms' })
      expect(await set({ symbol: 'NOSUCH' })).toMatchObject({ name: 'symbol_unknown' })
      expect(await store.history('contract', 'BTCUSDT')).toHaveLength(2)

      await set({ halted: 'true' })
      expect(await store.halts()).toMatchObject([{ symbol: 'BTCUSDT' }])
      await set({ halted: 'false' })
      expect(await store.halts()).toEqual([])
    } finally {
      await api.close()
    }
  })
})
