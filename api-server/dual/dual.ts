import Big from 'big.js'
import * as z from 'zod'
import { agreer, createDemo, demoTimes } from '#api-server/dual/demo.ts'
import { dualChecks } from '#api-server/dual/dual.checks.ts'
import { coinOf, coinsOf, type DualContext, dualHandlers, orderRow } from '#api-server/dual/dual.handlers.ts'
import { dualMigrations } from '#api-server/dual/dual.migration.ts'
import { type ProductTerms, saleMachine, saleState, wrongTerm } from '#api-server/dual/dual.rules.ts'
import { createDualStore, marketOf, nextProduct } from '#api-server/dual/dual.store.ts'
import { dualEarning } from '#api-server/dual/earning.ts'
import { createSettling } from '#api-server/dual/settle.ts'
import { tellRow } from '#api-server/kit/changed-row.ts'
import type { OfficeHandlers } from '#api-server/kit/decision.ts'
import { defineModule, type ProductPorts } from '#api-server/kit/module.ts'
import { defineTerms } from '#api-server/kit/terms.ts'
import { type backOfficeDualCalls, dualTypes } from '#contract/calls/dual.calls.ts'
import { saleSteps } from '#contract/calls/office.terms.calls.ts'
import { exact, plain } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Tx } from '#server-kit/db/db.ts'
import type { Handlers } from '#server-kit/http/http.ts'
import { loadTexts } from '#server-kit/ops/texts.ts'

const shares = z.int().positive().max(1_000_000_000)

/**
 * The market of terms, which must fit its prices and its coins.
 * @throws ApiProblem('parameter_error') with the member that does not fit
 */
async function marketFor(tx: Tx, { market, type, linked, share }: ProductTerms) {
  const found = await marketOf(tx, market)
  if (!found) throw new ApiProblem('parameter_error', { field: 'market' })
  if (!new Big(linked).mod(found.tick).eq(0)) throw new ApiProblem('parameter_error', { field: 'linked' })
  const scale = type === 'call' ? found.base_scale : found.quote_scale
  if (!new Big(share).round(scale).eq(share)) throw new ApiProblem('parameter_error', { field: 'share' })
  return found
}

/** Terms of products; the key is the number of the product. */
const dualTerms = defineTerms<ProductTerms>({
  product: 'dual',
  schema: z.object({
    market: z.string().max(20),
    type: z.enum(dualTypes),
    linked: z.string(),
    yearly: z.string(),
    share: z.string(),
    total: shares,
    limit_each: shares,
    starts_at: z.int().positive(),
    ends_at: z.int().positive(),
    matures_at: z.int().positive(),
    risk: z.int().min(1).max(5),
  }),
  // Members that orders depend on never change.
  fields: {
    market: { kind: 'text', fixed: true, named: true, hint: true, usual: 'BTCUSDT' },
    type: { kind: 'choice', values: dualTypes, fixed: true, named: true, usual: 'call' },
    linked: { kind: 'decimal', unit: '@quote', named: true },
    yearly: { kind: 'percent', above: '0', below: '1000' },
    share: { kind: 'decimal', unit: '@deposited', hint: true },
    total: { kind: 'whole', most: '1000000000' },
    limit_each: { kind: 'whole', most: '1000000000' },
    starts_at: { kind: 'time', hint: true },
    ends_at: { kind: 'time', hint: true },
    matures_at: { kind: 'time', fixed: true, named: true, hint: true },
    risk: { kind: 'whole', most: '5', hint: true },
  },
  check: (terms, _before, at) => wrongTerm(terms, at),
  fits: marketFor,
  newKey: async (tx) => String(await nextProduct(tx)),
  sale: 'dual_product',
})

function openTerms({ office, store, reads, clock, productsChanged }: DualContext) {
  const numberOf = (key: string) => (/^\d{1,9}$/.test(key) ? Number(key) : 0)
  return dualTerms.open(office, {
    units({ market, type }) {
      const { base = '', quote = '' } = reads.instrument(market) ?? {}
      return { base, quote, deposited: type === 'call' ? base : quote }
    },
    async agreed(decision, { key, version, terms: { market: symbol, ...terms } }) {
      const { base_id, quote_id } = await marketFor(decision.tx, { market: symbol, ...terms })
      const row = { ...terms, symbol, base_id, quote_id, terms_version: version }
      if (version > 1) return store.revise(decision, Number(key), row)
      // The demonstration's own products are marked as simulated.
      return store.create(decision, { ...row, id: Number(key), simulated: decision.operator.id === agreer.id })
    },
    announce: productsChanged,
    sale: {
      async shown(keys) {
        const now = clock.now()
        const found = await store.byIds(keys.map(numberOf))
        return new Map(
          found.map((product) => {
            const { id, sold, total, sale, sale_by: by } = product
            const steps = saleSteps.filter((step) => saleMachine.next(sale, step))
            const state = saleState(product, now)
            return [String(id), { state, steps, by, facts: [{ name: 'sold', shown: `${sold} / ${total}` }] }]
          }),
        )
      },
      async decide(decision, key, step) {
        const product = await store.product(numberOf(key), decision.tx)
        if (!product) throw new ApiProblem('not_found', { field: 'key' })
        const sale = saleMachine.next(product.sale, step)
        if (!sale || !(await store.decideSale(decision, product, sale))) throw new ApiProblem('state_wrong')
        const { symbol, type, linked, matures_at } = product
        return `${symbol} ${type} ${exact(linked)}, matures ${new Date(matures_at).toISOString().slice(0, 10)}`
      },
    },
  })
}

/** Amounts owed by day and coin, and the pool that covers them. */
function owedHandlers(context: DualContext): Handlers<typeof backOfficeDualCalls> {
  const { store, balances } = context
  return {
    'office.dualOwed': async () => {
      const [rows, pool, coins] = [await store.owed(), await balances.platform('pool_dual'), await coinsOf(context)]
      const code = (id: number) => coinOf(coins, id).code
      const held = new Map(pool.map(({ currency, balance }) => [currency, balance]))
      const totals = [...new Set([...held.keys(), ...rows.map(({ currency }) => currency)])].map((currency) => {
        const own = rows.filter((row) => row.currency === currency)
        const sum = (side: 'above' | 'below') => own.reduce((all, row) => all.plus(row[side]), new Big(0))
        const [above, below, has] = [sum('above'), sum('below'), new Big(held.get(currency) ?? 0)]
        const lacks = above.plus(below).minus(has)
        return {
          currency_code: code(currency),
          above: plain(above),
          below: plain(below),
          pool: plain(has),
          lacks: lacks.gt(0) ? plain(lacks) : '0',
        }
      })
      return {
        days: rows.map(({ day: number, currency, orders, above, below }) => {
          const day = new Date(number * 86_400_000).toISOString().slice(0, 10)
          const currency_code = code(currency)
          return { key: `${day} ${currency_code}`, day, currency_code, orders, above: exact(above), below: exact(below) }
        }),
        coins: totals,
      }
    },
  }
}

/** Dual investment as it runs on one node. */
function createDual(ports: ProductPorts) {
  const context: DualContext = {
    ...ports,
    store: createDualStore(ports.database),
    productsChanged: () => ports.rowChanged('all', 'dual_products'),
    announce(order, change) {
      if (order.status !== 'settling') ports.changed(order.uid)
      const row = coinsOf(context).then((coins) => orderRow(context, coins, order))
      tellRow(ports, { uid: order.uid, topic: 'dual_orders', change }, row)
    },
  }
  const settling = createSettling(context)
  const terms = openTerms(context)
  const demo = createDemo(context, terms)
  return {
    handlers: dualHandlers(context, loadTexts('locales', 'orders', 'invest', 'statement')),
    terms: [terms] as const,
    officeHandlers: owedHandlers(context) as OfficeHandlers,
    earning: dualEarning(context),
    counts: settling.counts,
    /** Settles what has matured, once. @returns how many, here or by another node */
    settle: settling.job.pass,
    /** The program of the demonstration looks at what is on sale. */
    demo: demo.pass,
    // At the start too, so that the first visitor finds products.
    jobs: ports.demonstration ? [{ name: 'dual_demo', everyMs: demoTimes.passEveryMs, work: demo.pass, atStart: true }] : [],
    async start(): Promise<void> {
      settling.job.start(ports.registry)
      if (!ports.demonstration) await demo.close()
    },
    stop: settling.job.stop,
  }
}

export const dual = defineModule('dual', {
  migrations: dualMigrations,
  checks: dualChecks,
  terms: [dualTerms],
  metric: ['tessera_dual', 'Dual investments that this node settled'],
  make: createDual,
})
