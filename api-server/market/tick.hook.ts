import * as z from 'zod'
import type { ManualSource } from '#api-server/market/sources/manual.source.ts'
import { decimal, integerText, symbol } from '#contract/fields.ts'
import type { TestHook } from '#server-kit/ops/test-hooks.ts'

const tickInput = z.object({
  symbol,
  price: decimal({ unit: 'price' }),
  time: integerText(0, 99_999_999_999_999).optional().describe('ms UTC; absent: now'),
  size: decimal({ unit: 'amount' }).optional(),
})

/** POST /test/tick {symbol, price, time, size}: pushes one tick. Only while the source is manual. */
export function tickHook(manual: ManualSource): TestHook {
  return {
    row: {
      method: 'POST',
      path: '/test/tick',
      auth: 'none',
      input: tickInput,
      output: z.object({}),
      problems: ['symbol_unknown'],
      summary: 'Pushes a tick',
    },
    handler: (input) => {
      manual.push(input as z.output<typeof tickInput>)
      return {}
    },
  }
}
