import { type ColumnType, type Generated, sql } from 'kysely'
import { type FundingStatus, type FundingType, fundingMachines } from '#api-server/wallet/deposit/funding.rules.ts'
import type { AccountKind } from '#contract/accounts.ts'
import type { AddressKind } from '#contract/rules/chains.ts'
import type { Migration } from '#server-kit/db/db.ts'
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
export interface RouteRow {
  currency_id: number
  /** A chain of the currency, or bank, bank_international. */
  route: string
  position: number
  address_kind: AddressKind | null
  recharge: boolean
  recharge_min: string
  withdraw: boolean
  withdraw_min: string
  fee: string
  fee_rate: string
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
    wallet_setting: { name: string; value: string }
    wallet_level: { level: number; limit_btc: string; order_limit_usd: string }
    wallet_coin: { currency_id: number; exchange: boolean; exchange_min: string }
    wallet_route: RouteRow
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
    /** Accounts that have received demonstration money. */
    wallet_demo: { uid: number; created_at: number }
  }
}

const id = sql`id int generated always as identity primary key`
/** Column of an amount above zero. */
const positive = (column: string) => sql`${sql.raw(column)} numeric not null check (${sql.raw(column)} > 0 and ${sql.raw(column)} <> 'NaN')`
const notBelowZero = (column: string) =>
  sql`${sql.raw(column)} numeric not null check (${sql.raw(column)} >= 0 and ${sql.raw(column)} <> 'NaN')`

export const walletMigration: Migration = {
  id: 'wallet-1',
  async up(tx) {
    await sql`create table wallet_setting (name text primary key, ${notBelowZero('value')})`.execute(tx)
    await sql`insert into wallet_setting (name, value) values ('exchange_spread', 0.002)`.execute(tx)
    await sql`create table wallet_level (level int primary key, ${notBelowZero('limit_btc')}, ${notBelowZero('order_limit_usd')})`.execute(
      tx,
    )
    await sql`insert into wallet_level (level, limit_btc, order_limit_usd) values (0, 0, 0), (1, 200, 2000), (2, 500, 100000)`.execute(tx)
    await sql`create table wallet_coin (currency_id int primary key references currency, exchange boolean not null,
      ${notBelowZero('exchange_min')})`.execute(tx)
    await sql`create table wallet_route (currency_id int not null references currency, route text not null, position int not null,
      address_kind text, recharge boolean not null, ${notBelowZero('recharge_min')}, withdraw boolean not null,
      ${notBelowZero('withdraw_min')}, ${notBelowZero('fee')}, ${notBelowZero('fee_rate')}, primary key (currency_id, route))`.execute(tx)
    await sql`create table wallet_transfer (${id}, uid bigint not null, currency_id int not null, from_kind text not null, to_kind text not null,
      ${positive('amount')}, created_at bigint not null, check (from_kind <> to_kind))`.execute(tx)
    await sql`create index wallet_transfer_uid on wallet_transfer (uid, id desc)`.execute(tx)
    await sql`create table wallet_quote (id text primary key, uid bigint not null, from_id int not null, to_id int not null, ${positive('rate')},
      ${notBelowZero('spread')}, ${positive('net_rate')}, created_at bigint not null, expires_at bigint not null, used_at bigint)`.execute(
      tx,
    )
    await sql`create index wallet_quote_uid on wallet_quote (uid, created_at)`.execute(tx)
    await sql`create table wallet_exchange (${id}, uid bigint not null, quote_id text not null unique, from_id int not null, to_id int not null,
      ${positive('paid')}, ${positive('received')}, ${positive('rate')}, created_at bigint not null)`.execute(tx)
    await sql`create table wallet_address (${id}, uid bigint not null, currency_id int not null, chain text not null, name text not null,
      address text not null, folded text not null, qrcode text not null, usable_from bigint not null, created_at bigint not null,
      unique (uid, currency_id, chain, folded))`.execute(tx)
    await sql`create table funding (${id}, type text not null, uid bigint not null, currency_id int not null, channel text not null,
      chain text not null, target text not null, details bytea not null, images json not null, ${positive('amount')}, ${notBelowZero('fee')},
      ${positive('received')}, usd numeric, btc numeric, status text not null, reason text not null default '',
      reference text not null default '', approved_by text not null default '', approved_by_id bigint, decided_by text not null default '',
      created_at bigint not null, changed_at bigint not null, check (amount = fee + received),
      check ((type = 'recharge' and status in ('reviewing', 'credited', 'rejected'))
        or (type = 'withdraw' and status in ('reviewing', 'approved', 'sent', 'done', 'rejected', 'cancelled') and btc is not null)))`.execute(
      tx,
    )
    await sql`create index funding_uid on funding (uid, id desc)`.execute(tx)
    await sql`create index funding_window on funding (uid, created_at) where type = 'withdraw'`.execute(tx)
    await sql`create index funding_open on funding (type, status, id) where status in ('reviewing', 'approved', 'sent')`.execute(tx)
    await sql`create table funding_step (${id}, funding_id int not null references funding, at bigint not null, status text not null,
      by text not null, note text not null)`.execute(tx)
    await sql`create index funding_step_of on funding_step (funding_id, id)`.execute(tx)
    await sql`create table wallet_demo (uid bigint primary key, created_at bigint not null)`.execute(tx)
  },
}

/** Destination tags: the same address with another tag is another destination. */
export const walletTagMigration: Migration = {
  id: 'wallet-2',
  async up(tx) {
    await sql`alter table wallet_address add column tag text not null default ''`.execute(tx)
    await sql`alter table wallet_address drop constraint wallet_address_uid_currency_id_chain_folded_key`.execute(tx)
    await sql`alter table wallet_address add unique (uid, currency_id, chain, folded, tag)`.execute(tx)
    await sql`alter table funding add column tag text not null default ''`.execute(tx)
    await sql`create index wallet_quote_age on wallet_quote (created_at)`.execute(tx)
  },
}

/** How far the market may move from the rate of a quote before the exchange is refused. */
export const exchangeToleranceMigration: Migration = {
  id: 'wallet-3',
  async up(tx) {
    await sql`insert into wallet_setting (name, value) values ('exchange_tolerance', 0.005)`.execute(tx)
  },
}

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

export const walletStatesMigration = statesMigration('wallet-states-1', [fundingGuard('recharge'), fundingGuard('withdraw')])
