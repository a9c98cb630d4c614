import type { Generated } from 'kysely'
import { orderMachine } from '#api-server/spot/market.rules.ts'
import type { SpotReason, SpotSide, SpotState, spotKinds, TimeInForce } from '#contract/calls/c2c.calls.ts'
import { type Migration, sqlStep } from '#server-kit/db/db.ts'
import { stateGuard, statesMigration } from '#server-kit/db/state-guard.ts'

/** An order of a customer. Amounts are exact decimals as text. */
export interface SpotOrderTable {
  id: Generated<number>
  uid: number
  symbol: string
  side: SpotSide
  kind: (typeof spotKinds)[number]
  time_in_force: TimeInForce
  /** Limit, which the customer may move; null for a market order. */
  price: string | null
  /** Base coin; null for a market order that spends a budget. */
  quantity: string | null
  /** Quote coin that a market order to buy spends at most. */
  budget: string | null
  /** A market order trades at no worse price. */
  worst: string | null
  filled: string
  /** The cost or proceeds of the fills. */
  value: string
  /** In the coin that the order brings. */
  fee: string
  status: SpotState
  reason: SpotReason
  /** By the terms of the version under which the order was accepted. */
  maker_rate: string
  taker_rate: string
  terms_version: number
  /** Among orders of one price the lower one matches first; null for one that never stood in the book. */
  rank: number | null
  /** The customer has asked for it to be cancelled. */
  cancelling: boolean
  /** The customer has asked for this limit; null once that was done, or refused. */
  moving: string | null
  /** The amount that a buyer has frozen for it beside the rest. An order that has ended keeps what was given back of it. */
  extra: string
  /** Whether its limit may have been another one before. */
  moved: boolean
  /** Grows with each change. */
  version: number
  created_at: number
  changed_at: number
}

declare module '#server-kit/db/db.ts' {
  interface Tables {
    spot_order: SpotOrderTable
    /** Two orders that met. A side without an order is the house. */
    spot_fill: {
      id: number
      symbol: string
      price: string
      quantity: string
      value: string
      buy_id: number | null
      buyer: number | null
      buyer_fee: string
      sell_id: number | null
      seller: number | null
      seller_fee: string
      taker: SpotSide
      at: number
    }
    /** One row. Each node that begins to match raises the epoch, and a batch is committed under the epoch that it began in, or not at all. */
    spot_engine: { id: number; epoch: number }
  }
}

const amount = 'numeric(38, 18)'

/**
 * The limit of an order may be moved. The limit of the moment then bounds the amount that a buyer paid, which the trigger checks; the row itself
 * bounds it for an order that was never moved.
 */
export const spotMigrations: readonly Migration[] = [
  sqlStep(
    'spot-base',
    [
      `create table spot_order (id bigint generated always as identity primary key, uid bigint not null references account (id),
        symbol text not null references instrument (symbol), side text not null check (side in ('buy', 'sell')),
        kind text not null check (kind in ('limit', 'market')), time_in_force text not null check (time_in_force in ('gtc', 'ioc', 'fok', 'post_only')),
        price ${amount} check (price > 0 and price <> 'NaN'), quantity ${amount} check (quantity > 0 and quantity <> 'NaN'),
        budget ${amount} check (budget > 0 and budget <> 'NaN'), worst ${amount} check (worst > 0 and worst <> 'NaN'),
        filled ${amount} not null default 0 check (filled >= 0 and filled <> 'NaN'), value ${amount} not null default 0 check (value >= 0 and value <> 'NaN'),
        fee ${amount} not null default 0 check (fee >= 0 and fee <> 'NaN'),
        status text not null default 'new' check (status in ('new', 'open', 'partial', 'filled', 'cancelled', 'rejected')),
        reason text not null default '', maker_rate ${amount} not null, taker_rate ${amount} not null, terms_version integer not null, rank bigint,
        cancelling boolean not null default false, version integer not null default 1, created_at bigint not null, changed_at bigint not null,
        moving ${amount} check (moving > 0 and moving <> 'NaN'), extra ${amount} not null default 0 check (extra >= 0 and extra <> 'NaN'),
        moved boolean not null default false,
        check ((quantity is null) <> (budget is null)), check ((price is null) = (kind = 'market')),
        check (filled <= quantity), check (value <= budget), check (moved or (moving is null and extra = 0)), check (extra = 0 or side = 'buy'),
        check (moving is null or kind = 'limit'), check (moved or side <> 'buy' or kind <> 'limit' or value <= price * filled))`,
      // Nodes fetch numbers of orders ahead, so only the time of acceptance shows which came first.
      `create index spot_order_of on spot_order (uid, created_at desc, id desc)`,
      `create index spot_order_pending on spot_order (created_at, id) where status = 'new' or cancelling or moving is not null`,
      `create index spot_order_open on spot_order (uid) where status in ('new', 'open', 'partial')`,
      `create table spot_fill (id bigint primary key, symbol text not null, price ${amount} not null, quantity ${amount} not null check (quantity > 0),
        value ${amount} not null, buy_id bigint references spot_order (id), buyer bigint, buyer_fee ${amount} not null,
        sell_id bigint references spot_order (id), seller bigint, seller_fee ${amount} not null, taker text not null check (taker in ('buy', 'sell')),
        at bigint not null, check (buyer is distinct from seller), check ((buy_id is null) = (buyer is null)), check ((sell_id is null) = (seller is null)))`,
      `create index spot_fill_bought on spot_fill (buyer, id desc) where buyer is not null`,
      `create index spot_fill_sold on spot_fill (seller, id desc) where seller is not null`,
      `create index spot_fill_buy on spot_fill (buy_id) where buy_id is not null`,
      `create index spot_fill_sell on spot_fill (sell_id) where sell_id is not null`,
      `create table spot_engine (id integer primary key check (id = 1), epoch bigint not null)`,
      `insert into spot_engine (id, epoch) values (1, 0)`,
    ],
    ['spot-1', 'spot-2', 'spot-3'],
  ),
  statesMigration('spot-states-1', [
    stateGuard({
      table: 'spot_order',
      column: 'status',
      machine: orderMachine,
      fixed: [
        ...(['id', 'uid', 'symbol', 'side', 'kind', 'time_in_force', 'quantity', 'budget', 'worst'] as const),
        ...(['maker_rate', 'taker_rate', 'terms_version', 'created_at'] as const),
      ],
      refuses: [
        [
          `(new.price is distinct from old.price and (old.moving is null or new.price <> old.moving or new.moving is not null))
      or (old.moving is not null and new.moving is not null and (old.moving, old.extra) <> (new.moving, new.extra))
      or (old.moving is null and new.moving is null and old.extra <> new.extra)
      or (old.moved and not new.moved)`,
          'an order moves to the limit that its customer asked for',
        ],
        [
          `new.side = 'buy' and new.value - old.value > greatest(old.price, new.price) * (new.filled - old.filled)`,
          'bought above the limit',
        ],
      ],
    }),
  ]),
]
