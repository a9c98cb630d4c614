import { expect, test } from 'vitest'
import { createTradingReview } from '#api-server/trading/review.ts'
import { seedTerms } from '#api-server/trading/seeds.ts'
import type { Trading } from '#api-server/trading/trading.ts'
import type { Tx } from '#server-kit/db/db.ts'
import type { Operator } from '#server-kit/http/http.ts'

test('of two changes that are proposed at once the second one is refused', async () => {
  const btc = { symbol: 'BTCUSDT', base: 'BTC', group: 'currency' } as const
  const now = seedTerms(btc).find(({ product }) => product === 'contract')!
  type Deps = Parameters<typeof createTradingReview>[0]
  const review = createTradingReview({
    store: {
      proposal: async () => undefined,
      propose: () => Promise.reject(Object.assign(new Error('trading_proposal_open'), { code: '23505' })),
    } as unknown as Deps['store'],
    trading: { terms: () => ({ ...now, version: 1 }), instrument: () => ({ ...btc, quote: 'USDT' }) } as unknown as Trading,
  })
  const operator = { id: 1, name: 'ann' } as unknown as Operator
  const asked = review.propose({} as Tx, 'contract', 'BTCUSDT', { fee_rate: '0.1' }, operator, 1)
  await expect(asked).rejects.toMatchObject({ code: 'state_wrong' })
})
