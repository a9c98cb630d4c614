import * as z from 'zod'
import type { TradingStore } from '#api-server/trading/trading.store.ts'
import type { Trading } from '#api-server/trading/trading.ts'
import { ApiProblem } from '#contract/problem.ts'
import { termsOf, tradeProducts } from '#contract/trading.ts'
import type { Database } from '#server-kit/db/db.ts'
import type { Clock } from '#server-kit/ops/clock.ts'
import type { TestHook } from '#server-kit/ops/test-hooks.ts'

const input = z.object({
  symbol: z.string(),
  product: z.enum(tradeProducts),
  terms: z.string().max(4_000).optional().describe('members of the terms that change, as JSON'),
  halted: z.enum(['true', 'false']).optional(),
})

/** POST /test/instrument {symbol, product, terms, halted}: sets fees, sizes and rates of a symbol, or halts it, without a review. */
export function instrumentHook(deps: { database: Database; store: TradingStore; trading: Trading; clock: Clock }): TestHook {
  const { database, store, trading, clock } = deps
  function read(text: string): object {
    try {
      return z.record(z.string(), z.unknown()).parse(JSON.parse(text))
    } catch (error) {
      throw new ApiProblem('parameter_error', { field: 'terms', cause: error })
    }
  }
  return {
    row: {
      method: 'POST',
      path: '/test/instrument',
      auth: 'none',
      input,
      problems: ['symbol_unknown', 'parameter_error'],
      output: z.object({ version: z.int().nonnegative() }),
      summary: 'Sets the terms of a symbol',
    },
    async handler(asked) {
      const { symbol, product, terms, halted } = asked as z.output<typeof input>
      const now = trading.terms(product, symbol)
      const at = clock.now()
      const version = await database.transaction(async (tx) => {
        if (halted === 'true') await store.halt(tx, { symbol, reason: 'test', halted_by: 'test', at })
        if (halted === 'false') await store.resume(tx, symbol, at)
        if (terms === undefined) return now.version
        const next = termsOf[product].safeParse({ ...now.terms, ...read(terms) })
        if (!next.success) throw new ApiProblem('parameter_error', { field: 'terms', cause: next.error })
        return store.put(tx, { product, symbol, terms: next.data, changed_by: 'test', at })
      })
      await trading.changed()
      return { version }
    },
  }
}
