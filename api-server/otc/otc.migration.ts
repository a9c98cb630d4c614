import { type Generated, sql } from 'kysely'
import { offerMachine, orderMachine } from '#api-server/otc/otc.rules.ts'
import type { OtcOfferState } from '#contract/calls/office.otc.calls.ts'
import type { OtcOrderState, OtcSide } from '#contract/calls/otc.calls.ts'
import type { Migration } from '#server-kit/db/db.ts'
import { stateGuard, statesMigration } from '#server-kit/db/state-guard.ts'

/** What the house offers. Once written, only `taken` and the state change. Decimals are exact text, times ms UTC. */
export interface OtcOfferTable {
  id: Generated<number>
  /** What the customer does. */
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

/** The database itself refuses every way from one state to another that there is not, and every change of what was agreed. */
export const otcMigration: Migration = {
  id: 'otc-1',
  async up(tx) {
    for (const statement of [
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
      `create function otc_offer_moves() returns trigger language plpgsql as $$ begin
        if tg_op <> 'UPDATE' then raise exception 'offers are not removed'; end if;
        if old.status <> new.status and not ((old.status = 'proposed' and new.status in ('open', 'withdrawn', 'refused'))
            or (old.status = 'open' and new.status = 'closed')) then
          raise exception 'an offer does not go from % to %', old.status, new.status; end if;
        if (old.id, old.side, old.currency_id, old.quote_id, old.price, old.amount_min, old.amount_max, old.whole, old.from_at, old.until_at,
            old.replaces, old.proposed_by_id) is distinct from
           (new.id, new.side, new.currency_id, new.quote_id, new.price, new.amount_min, new.amount_max, new.whole, new.from_at, new.until_at,
            new.replaces, new.proposed_by_id) then raise exception 'an offer does not change'; end if;
        return new; end $$`,
      `create function otc_order_moves() returns trigger language plpgsql as $$ begin
        if tg_op <> 'UPDATE' then raise exception 'orders are not removed'; end if;
        if not (old.status = 'reviewing' and new.status in ('settled', 'rejected', 'cancelled')) then
          raise exception 'an order does not go from % to %', old.status, new.status; end if;
        if (old.id, old.uid, old.offer_id, old.side, old.currency_id, old.quote_id, old.price, old.amount, old.total, old.created_at)
            is distinct from
           (new.id, new.uid, new.offer_id, new.side, new.currency_id, new.quote_id, new.price, new.amount, new.total, new.created_at)
          then raise exception 'what was agreed does not change'; end if;
        return new; end $$`,
      'create trigger otc_offer_row before update or delete on otc_offer for each row execute function otc_offer_moves()',
      'create trigger otc_order_row before update or delete on otc_order for each row execute function otc_order_moves()',
    ]) {
      await sql.raw(statement).execute(tx)
    }
  },
}

export const otcStatesMigration = statesMigration('otc-states-1', [
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
])
