import * as z from 'zod'
import type { CurrencyReads } from '#api-server/currency/currency.reads.ts'
import { decimal } from '#contract/fields.ts'
import { parseAmount, plain } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { TestHook } from '#server-kit/ops/test-hooks.ts'

const input = z.object({
  currency: z.string().describe('code or id'),
  rate: z.string().max(41).optional().describe('USD for one unit; absent or empty: the market price again'),
})

/** POST /test/rate {currency, rate}: sets the price of a currency on this node. The price does not age. */
export function rateHook(coins: CurrencyReads): TestHook {
  return {
    row: {
      method: 'POST',
      path: '/test/rate',
      auth: 'none',
      input,
      output: z.object({ currency_code: z.string(), rate: decimal({ unit: 'price', coin: 'USD', per: 'currency_code' }) }),
      problems: [],
      summary: 'Sets the price of a coin',
    },
    async handler(asked) {
      const { currency, rate } = asked as z.output<typeof input>
      const coin = (await coins.list()).find(({ id, code }) => code === currency || String(id) === currency)
      if (!coin) throw new ApiProblem('currency_unknown', { field: 'currency' })
      const price = rate ? parseAmount(rate) : undefined
      if (rate && !price?.gt(0)) throw new ApiProblem('parameter_error', { field: 'rate' })
      coins.setUsd(coin.code, price && plain(price))
      return { currency_code: coin.code, rate: coins.usd(coin)?.price ?? '0' }
    },
  }
}
