import type { Generated } from 'kysely'
import { offerMachine, orderMachine } from '#api-server/otc/otc.rules.ts'
import type { OtcOfferState } from '#contract/calls/office.otc.calls.ts'
import type { OtcOrderState, OtcSide } from '#contract/calls/otc.calls.ts'
import { type Migration, sqlStep } from '#server-kit/db/db.ts'
import { stateGuard, statesMigration } from '#server-kit/db/state-guard.ts'

/** Offers of the house. Once written, only `taken` and the state change. Decimals are exact text, times ms UTC. */
export interface OtcOfferTable {
  id: Generated<number>
  /** The customer's side. */
  side: OtcSide
  currency_id: number
  quote_id: number
  price: string
  amount_min: string
  amount_max: string
  whole: string
  /** By orders that wait or were settled. */
  taken: string
  from_at: number | null
  until_at: number | null
  status: OtcOfferState
  replaces: number | null
  proposed_by_id: number
  proposed_by: string
  decided_by: string
  closed_by: string
  created_at: number
  changed_at: number
}
/** An order of a customer, at the price that the offer had. */
export interface OtcOrderTable {
  id: Generated<number>
  uid: number
  offer_id: number
  side: OtcSide
  currency_id: number
  quote_id: number
  price: string
  amount: string
  total: string
  status: OtcOrderState
  /** For the customer; empty unless it was rejected. */
  reason: string
  /** Name of the operator. */
  decided_by: string
  note: string
  created_at: number
  changed_at: number
  version: number
}
declare module '#server-kit/db/db.ts' {
  interface Tables {
    otc_offer: OtcOfferTable
    otc_order: OtcOrderTable
  }
}

const amount = (column: string) => `${column} numeric not null check (${column} > 0 and ${column} <> 'NaN')`
const deal = `side text not null check (side in ('buy', 'sell')), currency_id int not null references currency,
  quote_id int not null references currency, ${amount('price')}`

export const otcMigrations: readonly Migration[] = [
  sqlStep(
    'otc-base',
    [
      `create table otc_offer (id int generated always as identity primary key, ${deal}, ${amount('amount_min')}, ${amount('amount_max')},
        ${amount('whole')}, taken numeric not null default 0 check (taken >= 0 and taken <= whole), from_at bigint, until_at bigint,
        status text not null check (status in ('proposed', 'open', 'closed', 'withdrawn', 'refused')), replaces int references otc_offer,
        proposed_by_id bigint not null, proposed_by text not null, decided_by text not null default '', closed_by text not null default '',
        created_at bigint not null, changed_at bigint not null,
        check (currency_id <> quote_id), check (amount_min <= amount_max and amount_max <= whole), check (from_at < until_at),
        check ((status = 'proposed') = (decided_by = '')), check ((status = 'closed') = (closed_by <> '')))`,
      `create unique index otc_offer_replaces on otc_offer (replaces) where status = 'proposed'`,
      `create index otc_offer_open on otc_offer (side, id) where status = 'open'`,
      `create table otc_order (id int generated always as identity primary key, uid bigint not null, offer_id int not null references otc_offer,
        ${deal}, ${amount('amount')}, ${amount('total')},
        status text not null check (status in ('reviewing', 'settled', 'rejected', 'cancelled')), reason text not null default '',
        decided_by text not null default '', note text not null default '', created_at bigint not null, changed_at bigint not null,
        version int not null check (version > 0),
        check ((status = 'rejected') = (reason <> '')), check ((status in ('settled', 'rejected')) = (decided_by <> '')))`,
      'create index otc_order_of on otc_order (uid, id desc)',
      'create index otc_order_offer on otc_order (offer_id)',
      `create index otc_order_waiting on otc_order (id) where status = 'reviewing'`,
    ],
    ['otc-1'],
  ),
  statesMigration('otc-states-1', [
    stateGuard({
      table: 'otc_offer',
      column: 'status',
      machine: offerMachine,
      fixed: [
        ...(['id', 'side', 'currency_id', 'quote_id', 'price', 'amount_min', 'amount_max', 'whole'] as const),
        ...(['from_at', 'until_at', 'replaces', 'proposed_by_id'] as const),
      ],
    }),
    stateGuard({
      table: 'otc_order',
      column: 'status',
      machine: orderMachine,
      fixed: ['id', 'uid', 'offer_id', 'side', 'currency_id', 'quote_id', 'price', 'amount', 'total', 'created_at'],
    }),
  ]),
]
