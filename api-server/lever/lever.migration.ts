import type { Generated } from 'kysely'
import { positionMachine } from '#api-server/lever/lever.rules.ts'
import type { CloseReason, cancelReasons, LeverSide, LeverState } from '#contract/calls/lever.rows.ts'
import { type Migration, sqlStep } from '#server-kit/db/db.ts'
import { stateGuard, statesMigration } from '#server-kit/db/state-guard.ts'

declare module '#server-kit/db/db.ts' {
  interface Tables {
    /**
     * Orders and positions for contracts, one row from the order to its end. The terms are those of the opening. Decimals are exact text.
     * `since`, `tp_since` and `sl_since` are numbers of ticks: order or liquidation price, take profit and stop loss count for later ticks.
     */
    lever_position: {
      id: number
      uid: number
      symbol: string
      currency: number
      side: LeverSide
      type: 'market' | 'limit'
      state: LeverState
      multiple: number
      /** Still open, or those that the last closing has closed. */
      lots: string
      /** Of all closings. */
      lots_closed: string
      lot_size: string
      /** Limit of the order. */
      price: string | null
      worst_price: string | null
      open_price: string | null
      open_tick: number | null
      /** In the position account. */
      margin: string
      /** Frozen for the order. */
      held: string
      tp: string | null
      sl: string | null
      /** The price that is shown, and that acts; null where no price liquidates. */
      liquidation: string | null
      since: number
      tp_since: number
      sl_since: number
      /** The position is closed at the first tick of the open market after this one; null: it stays open. */
      exit_since: number | null
      terms_version: number
      fee_rate: string
      maintenance_rate: string
      overnight_rate: string
      spread: string
      profit: string
      fee: string
      overnight: string
      /** The part of `overnight` that stands in closings. */
      overnight_closed: string
      /** Lots × price of all closings; divided by `lots_closed`, the average price. */
      closed_worth: string
      /** Paid back less all that was paid: of what is closed, and the fees of what is open. */
      result: string
      /** When the next overnight fee is due, ms UTC; null unless it is open. */
      next_night: number | null
      close_reason: CloseReason | null
      close_price: string | null
      close_tick: number | null
      cancel_reason: (typeof cancelReasons)[number] | null
      created: number
      opened: number | null
      ended: number | null
      rev: number
      /** The transaction that wrote it last, for a node that reads what others have changed. */
      xact: number
    }
    /**
     * Each closing of a position or of a part. Rows are only added. `insurance` is what a liquidation left, or what the fund paid (below 0);
     * `open_fee` and `overnight` are its parts of what the position had paid before.
     */
    lever_close: {
      id: number
      position_id: number
      uid: number
      symbol: string
      currency: number
      side: LeverSide
      multiple: number
      lots: string
      lots_left: string
      open_price: string
      price: string
      tick_id: number
      margin: string
      profit: string
      fee: string
      open_fee: string
      overnight: string
      back: string
      insurance: string
      reason: CloseReason
      opened: number
      at: number
    }
    /** One row per position and night (00:00 UTC, ms). */
    lever_overnight: {
      position_id: number
      night: number
      uid: number
      currency: number
      price: string
      tick_id: number
      fee: string
      at: number
    }
    /** Margin that a customer added, or took back (below 0). */
    lever_margin: { id: Generated<number>; position_id: number; uid: number; currency: number; amount: string; at: number }
    /** All ticks up to this one have been decided, and what they fired is done. One row. */
    lever_progress: { one: number; tick: number }
  }
}

const reasons = `'user', 'take_profit', 'stop_loss', 'liquidated', 'copied', 'reversed'`
const opening = ['price', 'open_price', 'open_tick', 'opened'] as const

/** The fee of opening so many lots of a closing, rounded up at the decimals of the coin. */
const openFee = (lots: string) => `ceil(p.open_price * p.lot_size * ${lots} * p.fee_rate * m.unit) / m.unit`
/**
 * Parts of fees in closings. Closings of before take all that was paid over night since the closing before them, as their customers have seen it.
 */
const parts = sqlStep('lever-parts', [
  'alter table lever_close add column open_fee numeric check (open_fee >= 0), add column overnight numeric check (overnight >= 0)',
  `update lever_close c set open_fee = trim_scale(${openFee('(c.lots + c.lots_left)')} - ${openFee('c.lots_left')}),
    overnight = trim_scale(coalesce((select sum(n.fee) from lever_overnight n where n.position_id = c.position_id and n.at <= c.at
      and n.at > coalesce((select max(b.at) from lever_close b where b.position_id = c.position_id and (b.at, b.id) < (c.at, c.id)), 0)), 0))
    from lever_position p, lateral (select 10::numeric ^ scale as unit from currency where id = p.currency) m where p.id = c.position_id`,
  'alter table lever_close alter column open_fee set not null, alter column overnight set not null',
  `alter table lever_position add column overnight_closed numeric not null default 0, add column closed_worth numeric not null default 0,
    disable trigger lever_position_row`,
  `update lever_position p set overnight_closed = c.overnight, closed_worth = c.worth from (select position_id, sum(overnight) as overnight,
    sum(lots * price) as worth from lever_close group by position_id) c where c.position_id = p.id`,
  `alter table lever_position alter column overnight_closed drop default, alter column closed_worth drop default,
    enable trigger lever_position_row`,
])

/** Of a row that has ended only `xact` may change, see `adopt`. */
export const leverMigrations: readonly Migration[] = [
  sqlStep(
    'lever-base',
    [
      'create sequence lever_position_id as bigint',
      'create sequence lever_close_id as bigint',
      `create table lever_position (id bigint primary key, uid bigint not null, symbol text collate "C" not null, currency int not null,
        side text not null check (side in ('long', 'short')), type text not null check (type in ('market', 'limit')),
        state text not null check (state in ('entrust', 'open', 'closing', 'closed', 'cancelled')), multiple int not null check (multiple > 0),
        lots numeric not null check (lots > 0), lots_closed numeric not null check (lots_closed >= 0), lot_size numeric not null, price numeric, worst_price numeric, open_price numeric, open_tick bigint,
        margin numeric not null check (margin >= 0), held numeric not null check (held >= 0), tp numeric, sl numeric, liquidation numeric,
        since bigint not null, tp_since bigint not null, sl_since bigint not null, terms_version int not null, fee_rate numeric not null,
        maintenance_rate numeric not null, overnight_rate numeric not null, spread numeric not null, profit numeric not null, fee numeric not null,
        overnight numeric not null, result numeric not null, next_night bigint, close_reason text check (close_reason in (${reasons})),
        close_price numeric, close_tick bigint, cancel_reason text check (cancel_reason in ('user', 'balance', 'price')),
        created bigint not null, opened bigint, ended bigint, rev int not null,
        xact bigint not null default (pg_current_xact_id()::text::bigint), exit_since bigint,
        check ((state = 'entrust') = (held > 0)), check (state in ('open', 'closing') or margin = 0),
        check ((state in ('entrust', 'cancelled')) = (open_price is null)), check ((state in ('closed', 'cancelled')) = (ended is not null)),
        check (state not in ('closing', 'closed') or (close_reason is not null and close_tick is not null)),
        check (exit_since is null or state in ('open', 'closing', 'closed')))`,
      'create index lever_position_of on lever_position (uid, state, id)',
      `create index lever_position_active on lever_position (id) where state in ('entrust', 'open', 'closing')`,
      `create index lever_position_night on lever_position (next_night) where state = 'open'`,
      'create index lever_position_xact on lever_position (xact)',
      // Positions that were opened lately, for copies that are due.
      'create index lever_position_opened on lever_position (uid, opened) where opened is not null',
      `create table lever_close (id bigint primary key, position_id bigint not null references lever_position (id),
        uid bigint not null, symbol text collate "C" not null, currency int not null, side text not null, multiple int not null,
        lots numeric not null check (lots > 0), lots_left numeric not null check (lots_left >= 0), open_price numeric not null, price numeric not null,
        tick_id bigint not null, margin numeric not null check (margin >= 0), profit numeric not null, fee numeric not null check (fee >= 0),
        back numeric not null check (back >= 0), insurance numeric not null, reason text not null check (reason in (${reasons})),
        opened bigint not null, at bigint not null)`,
      'create index lever_close_of on lever_close (uid, at desc, id desc)',
      'create index lever_close_position on lever_close (position_id)',
      `create index lever_close_house on lever_close (at desc, id desc) where reason = 'liquidated' or insurance < 0`,
      `create unique index lever_close_last on lever_close (position_id) where lots_left = 0`,
      `create table lever_overnight (position_id bigint not null references lever_position (id), night bigint not null, uid bigint not null,
        currency int not null, price numeric not null, tick_id bigint not null, fee numeric not null check (fee >= 0), at bigint not null,
        primary key (position_id, night))`,
      'create index lever_overnight_of on lever_overnight (uid, night)',
      `create table lever_margin (id bigint generated always as identity primary key, position_id bigint not null references lever_position (id),
        uid bigint not null, currency int not null, amount numeric not null check (amount <> 0), at bigint not null)`,
      'create table lever_progress (one int primary key check (one = 1), tick bigint not null)',
    ],
    ['lever-1', 'lever-2', 'lever-3', 'lever-4'],
  ),
  statesMigration('lever-states-1', [
    stateGuard({
      table: 'lever_position',
      column: 'state',
      machine: positionMachine,
      fixed: [
        ...(['id', 'uid', 'symbol', 'currency', 'side', 'type', 'multiple', 'lot_size', 'worst_price', 'terms_version'] as const),
        ...(['fee_rate', 'maintenance_rate', 'overnight_rate', 'spread', 'created'] as const),
      ],
      fixedIn: { open: opening, closing: opening },
      free: ['xact'],
      refuses: [
        [`new.lots <> old.lots and (old.state <> 'open' or new.lots > old.lots)`, 'a position only becomes smaller, while it is open'],
      ],
    }),
  ]),
  parts,
]
