import type { ColumnType, Generated } from 'kysely'
import { type FundingStatus, type FundingType, fundingMachines } from '#api-server/wallet/deposit/funding.rules.ts'
import type { AccountKind } from '#contract/accounts.ts'
import { type Migration, sqlStep } from '#server-kit/db/db.ts'
import { stateGuard, statesMigration } from '#server-kit/db/state-guard.ts'

/** Money is exact decimal text, times are ms UTC. */
export interface FundingRow {
  id: Generated<number>
  type: FundingType
  uid: number
  currency_id: number
  channel: string
  /** Empty for banks. */
  chain: string
  /** Masked destination. */
  target: string
  /** Destination tag beside the address; '' for none. */
  tag: Generated<string>
  /** Full destination, encrypted: JSON of [{field, value}]; see Secrets. */
  details: Buffer
  /** Addresses of the vouchers, as JSON. */
  images: ColumnType<string[], string, never>
  amount: string
  fee: string
  received: string
  /** Worth at the time of the request; null without a price. */
  usd: string | null
  btc: string | null
  status: FundingStatus
  reason: string
  reference: string
  /** First of two operators who must approve. */
  approved_by: string
  approved_by_id: number | null
  decided_by: string
  created_at: number
  changed_at: number
}
export interface AddressRow {
  id: Generated<number>
  uid: number
  currency_id: number
  chain: string
  name: string
  address: string
  /** Normalized form for comparing two spellings of an address. */
  folded: string
  /** Destination tag; '' for none. */
  tag: Generated<string>
  qrcode: string
  usable_from: number
  created_at: number
}
export interface QuoteRow {
  id: string
  uid: number
  from_id: number
  to_id: number
  rate: string
  spread: string
  net_rate: string
  created_at: number
  expires_at: number
  used_at: number | null
}

declare module '#server-kit/db/db.ts' {
  interface Tables {
    wallet_transfer: {
      id: Generated<number>
      uid: number
      currency_id: number
      from_kind: AccountKind
      to_kind: AccountKind
      amount: string
      created_at: number
    }
    wallet_quote: QuoteRow
    wallet_exchange: {
      id: Generated<number>
      uid: number
      quote_id: string
      from_id: number
      to_id: number
      paid: string
      received: string
      rate: string
      created_at: number
    }
    wallet_address: AddressRow
    funding: FundingRow
    /** Steps of deposits and withdrawals; append-only. */
    funding_step: { id: Generated<number>; funding_id: number; at: number; status: FundingStatus; by: string; note: string }
    /** Keyed hashes of the vouchers of a deposit, equal for equal pictures. Requests of early releases have none. */
    funding_picture: { mark: string; funding_id: number }
    /** Accounts that have received demonstration money. */
    wallet_demo: { uid: number; created_at: number }
  }
}

const id = 'id int generated always as identity primary key'
/** Column of an amount above zero. */
const positive = (column: string) => `${column} numeric not null check (${column} > 0 and ${column} <> 'NaN')`
const notBelowZero = (column: string) => `${column} numeric not null check (${column} >= 0 and ${column} <> 'NaN')`

const fundingGuard = (type: FundingType) =>
  stateGuard({
    table: 'funding',
    column: 'status',
    machine: fundingMachines[type],
    only: ['type', type],
    fixed: [
      ...(['id', 'type', 'uid', 'currency_id', 'channel', 'chain', 'target', 'tag', 'details'] as const),
      ...(['amount', 'fee', 'received', 'usd', 'btc', 'created_at'] as const),
    ],
  })

/** The steps of a request are only added to. The same address with another destination tag is another destination. */
export const walletMigrations: readonly Migration[] = [
  sqlStep(
    'wallet-base',
    [
      `create table wallet_setting (name text primary key, ${notBelowZero('value')})`,
      // How far the market may move from the rate of a quote before the exchange is refused is `exchange_tolerance`.
      "insert into wallet_setting (name, value) values ('exchange_spread', 0.002), ('exchange_tolerance', 0.005)",
      `create table wallet_level (level int primary key, ${notBelowZero('limit_btc')}, ${notBelowZero('order_limit_usd')})`,
      'insert into wallet_level (level, limit_btc, order_limit_usd) values (0, 0, 0), (1, 200, 2000), (2, 500, 100000)',
      `create table wallet_coin (currency_id int primary key references currency, exchange boolean not null, ${notBelowZero('exchange_min')})`,
      `create table wallet_route (currency_id int not null references currency, route text not null, position int not null,
        address_kind text, recharge boolean not null, ${notBelowZero('recharge_min')}, withdraw boolean not null,
        ${notBelowZero('withdraw_min')}, ${notBelowZero('fee')}, ${notBelowZero('fee_rate')}, primary key (currency_id, route))`,
      `create table wallet_transfer (${id}, uid bigint not null, currency_id int not null, from_kind text not null, to_kind text not null,
        ${positive('amount')}, created_at bigint not null, check (from_kind <> to_kind))`,
      'create index wallet_transfer_uid on wallet_transfer (uid, id desc)',
      `create table wallet_quote (id text primary key, uid bigint not null, from_id int not null, to_id int not null, ${positive('rate')},
        ${notBelowZero('spread')}, ${positive('net_rate')}, created_at bigint not null, expires_at bigint not null, used_at bigint)`,
      'create index wallet_quote_uid on wallet_quote (uid, created_at)',
      'create index wallet_quote_age on wallet_quote (created_at)',
      `create table wallet_exchange (${id}, uid bigint not null, quote_id text not null unique, from_id int not null, to_id int not null,
        ${positive('paid')}, ${positive('received')}, ${positive('rate')}, created_at bigint not null)`,
      `create table wallet_address (${id}, uid bigint not null, currency_id int not null, chain text not null, name text not null,
        address text not null, folded text not null, qrcode text not null, usable_from bigint not null, created_at bigint not null,
        tag text not null default '', unique (uid, currency_id, chain, folded, tag))`,
      `create table funding (${id}, type text not null, uid bigint not null, currency_id int not null, channel text not null,
        chain text not null, target text not null, details bytea not null, images json not null, ${positive('amount')}, ${notBelowZero('fee')},
        ${positive('received')}, usd numeric, btc numeric, status text not null, reason text not null default '',
        reference text not null default '', approved_by text not null default '', approved_by_id bigint, decided_by text not null default '',
        created_at bigint not null, changed_at bigint not null, tag text not null default '', check (amount = fee + received),
        check ((type = 'recharge' and status in ('reviewing', 'credited', 'rejected'))
          or (type = 'withdraw' and status in ('reviewing', 'approved', 'sent', 'done', 'rejected', 'cancelled') and btc is not null)))`,
      'create index funding_uid on funding (uid, id desc)',
      "create index funding_window on funding (uid, created_at) where type = 'withdraw'",
      "create index funding_open on funding (type, status, id) where status in ('reviewing', 'approved', 'sent')",
      `create table funding_step (${id}, funding_id int not null references funding, at bigint not null, status text not null,
        by text not null, note text not null)`,
      'create index funding_step_of on funding_step (funding_id, id)',
      `create function funding_step_keeps() returns trigger language plpgsql as $$
      begin raise exception 'what became of a request is only added to'; end $$`,
      'create trigger funding_step_rows before update or delete on funding_step for each row execute function funding_step_keeps()',
      'create trigger funding_step_table before truncate on funding_step for each statement execute function funding_step_keeps()',
      'create table funding_picture (mark text not null, funding_id int not null references funding, primary key (mark, funding_id))',
      'create index funding_picture_of on funding_picture (funding_id)',
      'create table wallet_demo (uid bigint primary key, created_at bigint not null)',
    ],
    ['wallet-1', 'wallet-2', 'wallet-3', 'wallet-keeps-1'],
  ),
  statesMigration('wallet-states-1', [fundingGuard('recharge'), fundingGuard('withdraw')]),
]
