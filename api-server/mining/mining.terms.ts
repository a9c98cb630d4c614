import Big from 'big.js'
import * as z from 'zod'
import { defineTerms, type OpenTerms } from '#api-server/kit/terms.ts'
import type { MiningContext } from '#api-server/mining/booking.ts'
import { agreer } from '#api-server/mining/demo.ts'
import { incomeOf, type MiningTerms, miningSaleMachine, saleState, wrongTerm } from '#api-server/mining/mining.rules.ts'
import { nextProduct } from '#api-server/mining/mining.store.ts'
import { miningKinds } from '#contract/calls/earning/mining.calls.ts'
import { saleSteps } from '#contract/calls/office.terms.calls.ts'
import { exact } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Tx } from '#server-kit/db/db.ts'

/**
 * The coin of terms, whose decimals they must fit: also the least order has an income each day.
 * @throws ApiProblem('parameter_error') with the member that does not fit
 */
async function coinFor(tx: Tx, { coin, least, most, capacity, daily }: MiningTerms) {
  const found = await tx.selectFrom('currency').select(['id', 'scale']).where('code', '=', coin).executeTakeFirst()
  if (!found) throw new ApiProblem('parameter_error', { field: 'coin' })
  for (const [field, amount] of Object.entries({ least, most, capacity }))
    if (!new Big(amount).round(found.scale).eq(amount)) throw new ApiProblem('parameter_error', { field })
  if (!new Big(incomeOf(least, daily, found.scale)).gt(0)) throw new ApiProblem('parameter_error', { field: 'least' })
  return found
}

/** Terms of products; the key is the number of the product. */
export const miningTerms = defineTerms<MiningTerms>({
  product: 'mining',
  schema: z.object({
    kind: z.enum(miningKinds),
    coin: z.string().max(20),
    locked_days: z.int().positive().max(365),
    daily: z.string(),
    penalty: z.string(),
    least: z.string(),
    most: z.string(),
    capacity: z.string(),
    risk: z.int().min(1).max(5),
  }),
  // Orders are paid in the coin that they were made in.
  fields: {
    kind: { kind: 'choice', values: miningKinds, fixed: true, named: true, usual: 'lock' },
    coin: { kind: 'text', fixed: true, named: true, usual: 'USDT' },
    locked_days: { kind: 'whole', most: '365', named: true },
    daily: { kind: 'percent', above: '0', named: true },
    penalty: { kind: 'percent', least: '0' },
    least: { kind: 'decimal', unit: '@coin' },
    most: { kind: 'decimal', unit: '@coin' },
    capacity: { kind: 'decimal', unit: '@coin' },
    risk: { kind: 'whole', most: '5', hint: true },
  },
  check: wrongTerm,
  fits: coinFor,
  newKey: async (tx) => String(await nextProduct(tx)),
  sale: 'mining_product',
})

export function openTerms({ office, store, productsChanged }: MiningContext): OpenTerms {
  const numberOf = (key: string) => (/^\d{1,9}$/.test(key) ? Number(key) : 0)
  return miningTerms.open(office, {
    units: ({ coin }) => ({ coin }),
    async agreed(decision, { key, version, terms }) {
      const { coin: _, ...members } = terms
      const row = { ...members, currency_id: (await coinFor(decision.tx, terms)).id, terms_version: version }
      if (version > 1) return store.revise(decision, Number(key), row)
      // The demonstration's own products are marked as simulated.
      return store.create(decision, { ...row, id: Number(key), simulated: decision.operator.id === agreer.id })
    },
    announce: productsChanged,
    sale: {
      async shown(keys) {
        const found = await store.byIds(keys.map(numberOf))
        return new Map(
          found.map((product) => {
            const { id, locked, capacity, sale, sale_by: by } = product
            const steps = saleSteps.filter((step) => miningSaleMachine.next(sale, step))
            const facts = [{ name: 'locked', shown: `${exact(locked)} / ${exact(capacity)}` }]
            return [String(id), { state: saleState(product), steps, by, facts }]
          }),
        )
      },
      async decide(decision, key, step) {
        const product = await store.product(numberOf(key), decision.tx)
        if (!product) throw new ApiProblem('not_found', { field: 'key' })
        const sale = miningSaleMachine.next(product.sale, step)
        if (!sale || !(await store.decideSale(decision, product, sale))) throw new ApiProblem('state_wrong')
        return `${product.kind}, ${product.locked_days} days, ${exact(product.daily)} a day`
      },
    },
  })
}
