import type { Generated } from 'kysely'
import { dayMs, dualOrderMachine, maturityMs, saleEndsBeforeMs, saleMachine } from '#api-server/dual/dual.rules.ts'
import type { DualOrderState, DualOutcome, DualSale, DualType } from '#contract/calls/dual.calls.ts'
import { type Migration, sqlStep } from '#server-kit/db/db.ts'
import { stateGuard, statesMigration } from '#server-kit/db/state-guard.ts'

/** A product by the terms that count now. Decimals are exact text, times ms UTC. */
export interface DualProductTable {
  id: Generated<number>
  type: DualType
  symbol: string
  base_id: number
  quote_id: number
  share: string
  linked: string
  yearly: string
  /** Shares of the product, and of one customer at most. */
  total: number
  limit_each: number
  /** Risk level, 1 to 5. */
  risk: number
  starts_at: number
  ends_at: number
  matures_at: number
  /** Number of these terms; each change of the terms has a higher one. */
  terms_version: number
  /** Shares that are sold. */
  sold: number
  sale: DualSale
  /** Operator who paused, resumed or ended the sale last; empty: nobody. */
  sale_by: Generated<string>
  /** Kept by a program of the demonstration. */
  simulated: boolean
}
/** Shares of a product that a customer has bought. */
export interface DualHoldingTable {
  product_id: number
  uid: number
  num: number
}
/** A purchase, with the terms that it was made by. */
export interface DualOrderTable {
  id: Generated<number>
  uid: number
  product_id: number
  terms_version: number
  type: DualType
  symbol: string
  base_id: number
  quote_id: number
  share: string
  num: number
  /** Deposit. */
  amount: string
  linked: string
  yearly: string
  days: number
  /** Paid back in each outcome. */
  base_amount: string
  quote_amount: string
  bought_at: number
  /** The maturity. */
  due_at: number
  status: DualOrderState
  outcome: DualOutcome | null
  settle_tick_id: number | null
  settle_price: string | null
  booked_at: number | null
  /** The number of the last tick in the log when the order was settled: what came later could not count. */
  log_end: number | null
  version: number
}
declare module '#server-kit/db/db.ts' {
  interface Tables {
    dual_product: DualProductTable
    dual_holding: DualHoldingTable
    dual_order: DualOrderTable
  }
}

const amount = (column: string) => `${column} numeric not null check (${column} > 0 and ${column} <> 'NaN')`
const deal = `type text not null check (type in ('call', 'put')), symbol text not null references instrument (symbol),
  base_id int not null references currency, quote_id int not null references currency, ${amount('share')}, ${amount('linked')},
  yearly numeric not null check (yearly >= 0 and yearly <> 'NaN')`

/** The database itself keeps the stock, and what was agreed: no share is sold twice, and orders move only as the rules say. */
export const dualMigrations: readonly Migration[] = [
  sqlStep('dual-base', [
    `create table dual_product (id int generated always as identity primary key, ${deal}, total int not null check (total > 0),
        limit_each int not null check (limit_each > 0), risk int not null check (risk between 1 and 5), starts_at bigint not null,
        ends_at bigint not null, matures_at bigint not null, terms_version int not null check (terms_version > 0),
        sold int not null default 0 check (sold >= 0), sale text not null default 'open' check (sale in ('open', 'paused', 'ended')),
        simulated boolean not null default false, check (starts_at < ends_at), check (ends_at <= matures_at))`,
    'create index dual_product_matures on dual_product (matures_at)',
    `create table dual_holding (product_id int not null references dual_product, uid bigint not null, num int not null check (num > 0),
        primary key (product_id, uid))`,
    `create table dual_order (id int generated always as identity primary key, uid bigint not null,
        product_id int not null references dual_product, terms_version int not null, ${deal}, num int not null check (num > 0),
        ${amount('amount')}, days int not null check (days > 0), ${amount('base_amount')}, ${amount('quote_amount')},
        bought_at bigint not null, due_at bigint not null check (due_at > bought_at),
        status text not null check (status in ('purchased', 'settling', 'success', 'fail')), outcome text check (outcome in ('base', 'quote')),
        settle_tick_id bigint references tick, settle_price numeric, booked_at bigint, log_end bigint, version int not null check (version > 0),
        check (amount = share * num),
        check ((status in ('success', 'fail')) = (outcome is not null) and (outcome is null) = (booked_at is null) and (outcome is null) = (log_end is null)),
        check ((status = 'success') = (settle_tick_id is not null) and (settle_tick_id is null) = (settle_price is null)),
        check (status <> 'fail' or outcome = case type when 'call' then 'base' else 'quote' end))`,
    `create index dual_order_due on dual_order (due_at, id) where status in ('purchased', 'settling')`,
    'create index dual_order_of on dual_order (uid, id desc)',
    'create index dual_order_product on dual_order (product_id)',
  ]),
  statesMigration('dual-states-1', [
    stateGuard({
      table: 'dual_order',
      column: 'status',
      machine: dualOrderMachine,
      fixed: [
        ...([
          'id',
          'uid',
          'product_id',
          'terms_version',
          'type',
          'symbol',
          'base_id',
          'quote_id',
          'share',
          'num',
          'amount',
          'linked',
        ] as const),
        ...(['yearly', 'days', 'base_amount', 'quote_amount', 'bought_at', 'due_at'] as const),
      ],
    }),
  ]),
  sqlStep('dual-sale', [
    `alter table dual_product add column sale_by text not null default ''`,
    // A product has the number under which it was proposed.
    'alter table dual_product alter column id set generated by default',
  ]),
  statesMigration('dual-states-2', [
    stateGuard({
      table: 'dual_product',
      column: 'sale',
      machine: saleMachine,
      fixed: ['id', 'type', 'symbol', 'base_id', 'quote_id', 'matures_at', 'simulated'],
    }),
  ]),
  // Maturity, end of the sale and holding days as the rules have them since the first product.
  sqlStep('dual-days', [
    `alter table dual_product add constraint dual_product_maturity
        check (matures_at % ${dayMs} = ${maturityMs} and ends_at <= matures_at - ${saleEndsBeforeMs})`,
    `alter table dual_order add constraint dual_order_days check (days = greatest(1, due_at / ${dayMs} - bought_at / ${dayMs}))`,
  ]),
]
