import type { Generated } from 'kysely'
import { optionMachine } from '#api-server/mic/mic.rules.ts'
import type { OptionState, OptionType } from '#contract/calls/mic.calls.ts'
import { type Migration, sqlStep } from '#server-kit/db/db.ts'
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
  /** The share of its stake that a won order earns, by the terms of this version. */
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

/** Orders that wait are found by their due time. */
export const micMigrations: readonly Migration[] = [
  sqlStep(
    'mic-base',
    [
      `create table option_order (id int generated always as identity primary key, uid bigint not null, oid text, match_id int not null,
        symbol text not null references instrument (symbol), currency_id int not null references currency, type text not null check (type in ('up', 'down')),
        seconds int not null check (seconds > 0), ${amount('stake', '> 0')}, ${amount('rate', '>= 0')}, terms_version int not null,
        open_tick_id bigint not null references tick, ${amount('open_price', '> 0')}, opened_at bigint not null,
        due_at bigint not null check (due_at = opened_at + seconds * 1000::bigint),
        status text not null check (status in ('holding', 'settling', 'won', 'lost', 'draw', 'void')),
        settle_tick_id bigint references tick, settle_price numeric, settled_at bigint, log_end bigint, ${amount('payout', '>= 0')},
        version int not null check (version > 0), booked_at bigint, unique (uid, oid),
        check ((status in ('holding', 'settling')) = (settled_at is null) and (settled_at is null) = (log_end is null)),
        check ((status in ('won', 'lost', 'draw')) = (settle_tick_id is not null) and (settle_tick_id is null) = (settle_price is null)),
        check (case status when 'won' then payout >= stake when 'draw' then payout = stake when 'void' then payout = stake else payout = 0 end))`,
      `create index option_order_due on option_order (due_at, id) where status in ('holding', 'settling')`,
      `create index option_order_running on option_order (uid, id desc) where status in ('holding', 'settling')`,
      'create index option_order_settled on option_order (uid, settled_at desc, id desc) where settled_at is not null',
    ],
    ['mic-1', 'mic-2'],
  ),
  statesMigration('mic-states-1', [
    stateGuard({
      table: 'option_order',
      column: 'status',
      machine: optionMachine,
      fixed: [
        ...(['id', 'uid', 'oid', 'match_id', 'symbol', 'currency_id', 'type', 'seconds', 'stake', 'rate'] as const),
        ...(['terms_version', 'open_tick_id', 'open_price', 'opened_at', 'due_at'] as const),
      ],
    }),
  ]),
]
