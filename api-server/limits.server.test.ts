import { expect, test } from 'vitest'
import { onEngines } from '#tests/support/databases/engines.ts'
import { startApi } from '#tests/support/servers/api.ts'
import { envelopeOf, refusal } from '#tests/support/servers/envelope.ts'

onEngines('limits of the api', (engine) => {
  test('without test hooks: above the rate limit 429 with a time to retry; a token opens the metrics', async () => {
    const api = await startApi({
      place: await engine.place(),
      env: { SEED: 'none', TEST_HOOKS: '0', TRUST_PROXY: 'loopback', METRICS_TOKEN: 'a-token-of-the-operators' },
      limit: { requests: 5, seconds: 10, loopbackRequests: 1_000 },
    })
    try {
      expect(refusal(await api.post('/test/clock', { now: '1' }))).toBe('404 not_found')
      expect(refusal(await api.post('/test/tick', { symbol: 'BTCUSDT', price: '1' }))).toBe('404 not_found')
      expect(envelopeOf(await api.get('/api/currency/list')).data).toEqual({ list: [] })
      expect(refusal(await api.post('/api/aboutus'))).toBe('404 not_found')
      const from = { 'x-forwarded-for': '203.0.113.9' }
      expect((await api.get('/metrics', { ...from, authorization: 'Bearer a-token-of-the-operators' })).status).toBe(200)
      expect(refusal(await api.get('/metrics', { ...from, authorization: 'Bearer another' }))).toBe('403 forbidden')
      expect(refusal(await api.get('/metrics'))).toBe('403 forbidden')
      expect((await api.get('/metrics', { authorization: 'Bearer a-token-of-the-operators' })).status).toBe(200)
      const statuses = []
      for (let time = 0; time < 5; time++) statuses.push((await api.get('/api/menu', from)).status)
      expect(statuses).toEqual([200, 200, 200, 429, 429])
      const limited = await api.get('/api/menu', { ...from, lang: 'fr' })
      expect(refusal(limited)).toBe('429 too_many_requests')
      expect(Number(limited.headers['retry-after'])).toBeGreaterThanOrEqual(1)
      expect(Number(limited.headers['retry-after'])).toBeLessThanOrEqual(10)
      expect((await api.get('/api/menu', { 'x-forwarded-for': '203.0.113.10' })).status).toBe(200)
      for (let time = 0; time < 20; time++) expect((await api.get('/api/menu')).status).toBe(200)
    } finally {
      await api.close()
    }
  })
})
