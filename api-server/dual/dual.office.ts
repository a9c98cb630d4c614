import Big from 'big.js'
import { sql } from 'kysely'
import * as z from 'zod'
import { type Coins, coinOf, coinsOf, type DualContext, productRow } from '#api-server/dual/dual.handlers.ts'
import { type ProductTerms, saleMachine, wrongTerm } from '#api-server/dual/dual.rules.ts'
import { type DualProduct, marketOf, nextProduct } from '#api-server/dual/dual.store.ts'
import { type Decision, decideOnce, type OfficeNote, type OfficePorts } from '#api-server/kit/decision.ts'
import { loggedCheck } from '#api-server/kit/logged.check.ts'
import { defineTerms, type OpenTerms } from '#api-server/kit/terms.ts'
import { type backOfficeDualCalls, type DualSaleStep, dualTypes } from '#contract/calls/dual.calls.ts'
import { exact, plain } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Tx } from '#server-kit/db/db.ts'
import type { Handlers } from '#server-kit/http/http.ts'

/**
 * Decisions of operators about dual investments. One administrator proposes a product or other terms of it, another agrees. Pausing and ending a
 * sale protect the house and count at once.
 */

const shares = z.int().positive().max(1_000_000_000)
const schema = z.object({
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
})

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
export const dualTerms = defineTerms<ProductTerms>({
  product: 'dual',
  schema,
  fields: {
    market: { kind: 'text' },
    type: { kind: 'choice', values: dualTypes },
    linked: { kind: 'decimal', unit: '@quote' },
    yearly: { kind: 'percent', most: 10, isPositive: true },
    share: { kind: 'decimal', unit: '@deposited' },
    total: { kind: 'whole' },
    limit_each: { kind: 'whole' },
    starts_at: { kind: 'time' },
    ends_at: { kind: 'time' },
    matures_at: { kind: 'time' },
    risk: { kind: 'whole' },
  },
  check: wrongTerm,
  async newKey(tx, terms) {
    await marketFor(tx, terms)
    return String(await nextProduct(tx))
  },
})

/** Check D2: the last decision about the sale of each product. */
export const dualSaleCheck = loggedCheck({
  says: 'each decision about the sale of a dual investment stands in the log of the back office',
  over: 'all',
  decisions:
    () => sql`select 'dual:' || id as subject, 'dual.' || case sale when 'paused' then 'pause' when 'ended' then 'end' else 'resume' end as acts,
    sale_by as operator, 1::bigint as times from dual_product where sale_by <> ''`,
})

/** @param programId operator whose products are marked as simulated */
export function openDualTerms(
  office: OfficePorts,
  { store, reads, productsChanged }: Pick<DualContext, 'store' | 'reads' | 'productsChanged'>,
  programId: number,
): OpenTerms {
  return dualTerms.open(office, {
    units(_key, { market, type }) {
      const { base = '', quote = '' } = reads.instrument(market) ?? {}
      return { base, quote, deposited: type === 'call' ? base : quote }
    },
    told: productsChanged,
    async agreed(decision, { key, version, terms: { market: symbol, ...terms } }) {
      const { base_id, quote_id } = await marketFor(decision.tx, { market: symbol, ...terms })
      const row = { ...terms, symbol, base_id, quote_id, terms_version: version }
      if (version > 1) return store.revise(decision, Number(key), row)
      return store.create(decision, { ...row, id: Number(key), simulated: decision.operator.id === programId })
    },
  })
}

/** Pauses, resumes or ends the sale of a product. @throws ApiProblem not_found, state_wrong */
export async function decideSale(
  { store }: Pick<DualContext, 'store'>,
  decision: Decision,
  id: number,
  step: DualSaleStep,
): Promise<OfficeNote> {
  const product = await store.product(id, decision.tx)
  if (!product) throw new ApiProblem('not_found', { field: 'id' })
  const sale = saleMachine.next(product.sale, step)
  if (!sale || !(await store.decideSale(decision, product, sale))) throw new ApiProblem('state_wrong')
  const { symbol, type, linked, matures_at } = product
  const day = new Date(matures_at).toISOString().slice(0, 10)
  return { action: `dual.${step}`, subject: `dual:${id}`, detail: `${symbol} ${type} ${exact(linked)}, matures ${day}` }
}

/** Handlers of the calls of operators. */
export function dualOfficeHandlers(context: DualContext, terms: OpenTerms): Handlers<typeof backOfficeDualCalls> {
  const { store, office, balances } = context
  const soldRow = (coins: Coins, row: DualProduct) => ({
    ...productRow(context, coins, row),
    sold: row.sold,
    sale: row.sale,
    sale_by: row.sale_by,
  })
  async function one(id: number) {
    const product = await store.product(id)
    return { id, product: product ? soldRow(await coinsOf(context), product) : null }
  }
  return {
    'office.dualProducts': async (page) => {
      const coins = await coinsOf(context)
      const { rows, total } = await store.all(page)
      return { list: rows.map((row) => soldRow(coins, row)), total }
    },

    'office.dualProposals': async (_none, { operator }) => {
      const list = []
      for (const key of await terms.proposals.open()) {
        const found = await terms.proposals.shown(key, operator)
        if (found) list.push({ id: Number(key), by: found.shown.by, time: found.shown.time })
      }
      return { list }
    },

    'office.dualProduct': async ({ id }) => one(id),

    'office.dualSale': async (input, caller) => {
      const { id, step } = input
      await decideOnce(office, caller, 'office.dualSale', input, async (decision) => ({
        answer: { id },
        notes: [await decideSale(context, decision, id, step)],
      }))
      context.productsChanged()
      office.queueChanged()
      return one(id)
    },

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
