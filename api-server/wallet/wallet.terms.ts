import * as z from 'zod'
import { createTermsStore, defineTerms } from '#api-server/kit/terms.ts'
import { type AddressKind, addressKinds } from '#contract/rules/chains.ts'
import type { Database, Tx } from '#server-kit/db/db.ts'

/** Fees, minima, limits and open routes of the wallet, which two operators change. Exact decimal text. */

const openOrClosed = ['open', 'closed'] as const
/** From 0 on, in a coin; the coin of the key unless named. */
const amountIn = (unit = '@coin') => ({ kind: 'decimal', least: '0', unit }) as const
const amount = z.string().regex(/^(0|[1-9]\d{0,14})(\.\d{1,12})?$/)
const isOpen = { kind: 'choice', values: openOrClosed } as const

export const walletTerms = {
  /** The share of an exchange that the platform keeps, and by how much the market may move from a quote. */
  exchange: defineTerms<{ spread: string; tolerance: string }>({
    product: 'exchange',
    schema: z.object({ spread: z.string(), tolerance: z.string() }),
    fields: { spread: { kind: 'percent' }, tolerance: { kind: 'percent' } },
  }),
  /** The key is the code. */
  coin: defineTerms<{ exchange: 'open' | 'closed'; exchange_min: string }>({
    product: 'coin',
    schema: z.object({ exchange: z.enum(openOrClosed), exchange_min: amount }),
    fields: { exchange: isOpen, exchange_min: amountIn() },
  }),
  /** The key is the code and the route: USDT_TRC20. */
  route: defineTerms<RouteTerms>({
    product: 'route',
    schema: z.object({
      currency: z.string(),
      route: z.string(),
      list_place: z.int().positive(),
      address_kind: z.enum([...addressKinds, 'bank']),
      recharge: z.enum(openOrClosed),
      recharge_min: amount,
      withdraw: z.enum(openOrClosed),
      withdraw_min: amount,
      fee: amount,
      fee_rate: z.string(),
    }),
    fields: {
      // Its key says the first two, and addresses of customers depend on the format.
      currency: { kind: 'text', fixed: true, named: true },
      route: { kind: 'text', fixed: true, named: true },
      list_place: { kind: 'whole' },
      address_kind: { kind: 'text', fixed: true },
      recharge: isOpen,
      recharge_min: amountIn(),
      withdraw: isOpen,
      withdraw_min: amountIn(),
      fee: amountIn(),
      fee_rate: { kind: 'percent' },
    },
  }),
  /** The key is the level of an identity: 0, 1, 2. */
  level: defineTerms<{ limit_btc: string; order_limit_usd: string }>({
    product: 'level',
    schema: z.object({ limit_btc: amount, order_limit_usd: amount }),
    fields: { limit_btc: amountIn('BTC'), order_limit_usd: amountIn('USD') },
  }),
} as const

interface RouteTerms {
  currency: string
  /** A chain of the currency, or bank, bank_international. */
  route: string
  /** From 1; the first one is offered first. */
  list_place: number
  address_kind: AddressKind | 'bank'
  recharge: 'open' | 'closed'
  recharge_min: string
  withdraw: 'open' | 'closed'
  withdraw_min: string
  /** The fee of a withdrawal, beside `fee_rate` of its amount. */
  fee: string
  fee_rate: string
}

/** The terms that count, with their keys. */
export async function countingTerms<T extends object>(
  database: Database,
  { product, read }: { product: string; read(stored: unknown): T },
  tx?: Tx,
): Promise<(T & { key: string })[]> {
  const rows = await createTermsStore(database).current([product], tx)
  return rows.map(({ key, terms }) => ({ ...read(terms), key }))
}
