import { type Generated, sql } from 'kysely'
import { optionMachine } from '#api-server/mic/mic.rules.ts'
import type { OptionState, OptionType } from '#contract/calls/mic.calls.ts'
import type { Migration } from '#server-kit/db/db.ts'
import { stateGuard, statesMigration } from '#server-kit/db/state-guard.ts'

export interface OptionTable {
  id: Generated<number>
  uid: number
  oid: string | null
  match_id: number
  symbol: string
  currency_id: number
  type: OptionType
  seconds: number
  stake: string
  /** What a won order earns on its stake, by the terms of this version. */
  rate: string
  terms_version: number
  open_tick_id: number
  open_price: string
  opened_at: number
  due_at: number
  status: OptionState
  settle_tick_id: number | null
  settle_price: string | null
  /** When the result was decided: the expiry. Of rows from before `booked_at` it is when they were booked. */
  settled_at: number | null
  /** When the payout was booked, which is later where no server ran at the expiry. */
  booked_at: number | null
  /** The number of the last tick in the log when the order was settled: what came later could not count. */
  log_end: number | null
  payout: string
  version: number
}
declare module '#server-kit/db/db.ts' {
  interface Tables {
    option_order: OptionTable
  }
}

const amount = (column: string, least: string) => `${column} numeric not null check (${column} ${least} and ${column} <> 'NaN')`

/**
 * Orders that wait are found by their due time. The database itself refuses every way from one state to another that there is not, and every
 * change of what the customer agreed to, whoever asks.
 */
export const micMigration: Migration = {
  id: 'mic-1',
  async up(tx) {
    for (const statement of [
      `create table option_order (id int generated always as identity primary key, uid bigint not null, oid text, match_id int not null,
        symbol text not null references instrument (symbol), currency_id int not null references currency, type text not null check (type in ('up', 'down')),
        seconds int not null check (seconds > 0), ${amount('stake', '> 0')}, ${amount('rate', '>= 0')}, terms_version int not null,
        open_tick_id bigint not null references tick, ${amount('open_price', '> 0')}, opened_at bigint not null,
        due_at bigint not null check (due_at = opened_at + seconds * 1000::bigint),
        status text not null check (status in ('holding', 'settling', 'won', 'lost', 'draw', 'void')),
        settle_tick_id bigint references tick, settle_price numeric, settled_at bigint, log_end bigint, ${amount('payout', '>= 0')},
        version int not null check (version > 0), unique (uid, oid),
        check ((status in ('holding', 'settling')) = (settled_at is null) and (settled_at is null) = (log_end is null)),
        check ((status in ('won', 'lost', 'draw')) = (settle_tick_id is not null) and (settle_tick_id is null) = (settle_price is null)),
        check (case status when 'won' then payout >= stake when 'draw' then payout = stake when 'void' then payout = stake else payout = 0 end))`,
      `create index option_order_due on option_order (due_at, id) where status in ('holding', 'settling')`,
      `create index option_order_running on option_order (uid, id desc) where status in ('holding', 'settling')`,
      'create index option_order_settled on option_order (uid, settled_at desc, id desc) where settled_at is not null',
      `create function option_order_moves() returns trigger language plpgsql as $$ begin
        if tg_op <> 'UPDATE' then raise exception 'orders are not removed'; end if;
        if not ((old.status = 'holding' and new.status = 'settling')
            or (old.status = 'settling' and new.status in ('won', 'lost', 'draw', 'void'))) then
          raise exception 'an order does not go from % to %', old.status, new.status; end if;
        if (old.id, old.uid, old.oid, old.match_id, old.symbol, old.currency_id, old.type, old.seconds, old.stake, old.rate, old.terms_version,
            old.open_tick_id, old.open_price, old.opened_at, old.due_at) is distinct from
           (new.id, new.uid, new.oid, new.match_id, new.symbol, new.currency_id, new.type, new.seconds, new.stake, new.rate, new.terms_version,
            new.open_tick_id, new.open_price, new.opened_at, new.due_at) then raise exception 'what was agreed does not change'; end if;
        return new; end $$`,
      'create trigger option_order_row before update or delete on option_order for each row execute function option_order_moves()',
      'create trigger option_order_table before truncate on option_order for each statement execute function option_order_moves()',
    ]) {
      await sql.raw(statement).execute(tx)
    }
  },
}

/** The moment of a result and that of its booking are two things. */
export const micBookedMigration: Migration = {
  id: 'mic-2',
  async up(tx) {
    await sql`alter table option_order add column booked_at bigint`.execute(tx)
  },
}

export const micStatesMigration = statesMigration('mic-states-1', [
  stateGuard({
    table: 'option_order',
    column: 'status',
    machine: optionMachine,
    fixed: [
      ...(['id', 'uid', 'oid', 'match_id', 'symbol', 'currency_id', 'type', 'seconds', 'stake', 'rate'] as const),
      ...(['terms_version', 'open_tick_id', 'open_price', 'opened_at', 'due_at'] as const),
    ],
  }),
])
