import type { ColumnType, Generated } from 'kysely'
import type { CopyState } from '#api-server/follow/follow.rules.ts'
import { applicationMachine, copyMachine, followMachine } from '#api-server/follow/follow.rules.ts'
import type { FollowState, FollowType, SkipReason, TraderRow } from '#contract/calls/follow.calls.ts'
import { type Migration, sqlStep } from '#server-kit/db/db.ts'
import { stateGuard, statesMigration } from '#server-kit/db/state-guard.ts'

declare module '#server-kit/db/db.ts' {
  interface Tables {
    /** Applications to become a trader. A row that was decided stays as it is. */
    trader_application: {
      id: Generated<number>
      uid: number
      nickname: string
      introduction: string
      status: 'reviewing' | 'failed' | 'passed'
      /** For the customer; empty unless it failed. */
      reason: string
      /** Name of the operator. */
      decided_by: string
      note: string
      created: number
      changed: number
    }
    /** Accepted traders, with the figures that others see. */
    trader: {
      uid: number
      nickname: string
      introduction: string
      since: number
      /** Figures of the last hour. Decimals are exact text. */
      followers: number
      closed: number
      winning: number
      profit: string
      best: string
      worst: string
      curve: ColumnType<TraderRow['curve'], string, string>
      /** The profit that open positions would have brought then. */
      open_profit: Generated<string>
      /** Realised profit and `open_profit` together, as last taken on each day. */
      equity: Generated<TraderRow['equity']>
      refreshed: number
      /** When the house ended the trader, for good; null: others can copy. */
      ended: Generated<number | null>
      /** Name of the operator; empty unless ended. */
      ended_by: Generated<string>
      /** For the customer; empty unless ended. */
      end_reason: Generated<string>
    }
    /** Followings: the follower, the trader, begin and end. */
    follow: {
      id: Generated<number>
      trader_uid: number
      uid: number
      type: FollowType
      number: string
      /** A loss, above 0. */
      stop_loss: string | null
      /** When the customer accepted both agreements; null for who began before this was kept. */
      agreed: ColumnType<number | null, number, never>
      state: FollowState
      created: number
      ended: number | null
    }
    /**
     * The outcome of a trader's position for one follower: copied (open, then closed), held by the follower alone (own), or skipped.
     * `trader_lots` is how much of the trader's position the copy is in line with; above what is open where the rest was too little to
     * close.
     */
    follow_copy: {
      id: Generated<number>
      follow_id: number
      trader_position: number
      uid: number
      position_id: number | null
      state: CopyState
      reason: SkipReason | null
      trader_lots: string
      at: number
    }
  }
}

/** A trader can be ended, with a reason, and stays as the end has found them. Followings that began before the time of the agreements was kept have none. */
export const followMigrations: readonly Migration[] = [
  sqlStep(
    'follow-base',
    [
      `create table trader_application (id int generated always as identity primary key, uid bigint not null, nickname text not null,
        introduction text not null, status text not null check (status in ('reviewing', 'failed', 'passed')), reason text not null default '',
        decided_by text not null default '', note text not null default '', created bigint not null, changed bigint not null,
        check (status <> 'failed' or reason <> ''), check (status = 'reviewing' or decided_by <> ''))`,
      `create unique index trader_application_name on trader_application (lower(nickname)) where status <> 'failed'`,
      `create unique index trader_application_open on trader_application (uid) where status <> 'failed'`,
      'create index trader_application_of on trader_application (uid, id desc)',
      'create index trader_application_status on trader_application (status, id)',
      `create table trader (uid bigint primary key, nickname text not null, introduction text not null, since bigint not null,
        followers int not null default 0, closed int not null default 0, winning int not null default 0, profit numeric not null default 0,
        best numeric not null default 0, worst numeric not null default 0, curve json not null default '[]', refreshed bigint not null,
        ended bigint, ended_by text not null default '', end_reason text not null default '', open_profit numeric not null default 0,
        equity json not null default '[]', check ((ended is null) = (ended_by = '')), check ((ended is null) = (end_reason = '')))`,
      `create function trader_keep() returns trigger language plpgsql as $$ begin
        raise exception 'a trader who has ended does not change'; end $$`,
      'create trigger trader_ended before update or delete on trader for each row when (old.ended is not null) execute function trader_keep()',
      `create table follow (id int generated always as identity primary key, trader_uid bigint not null references trader (uid),
        uid bigint not null check (uid <> trader_uid), type text not null check (type in ('multiple', 'lots')),
        number numeric not null check (number > 0), stop_loss numeric check (stop_loss > 0),
        state text not null check (state in ('active', 'cancelled', 'lost')), created bigint not null, ended bigint, agreed bigint,
        check ((state = 'active') = (ended is null)))`,
      `create unique index follow_active on follow (trader_uid, uid) where state = 'active'`,
      'create index follow_of on follow (uid, id desc)',
      `create table follow_copy (id bigint generated always as identity primary key, follow_id int not null references follow (id),
        trader_position bigint not null references lever_position (id), uid bigint not null,
        position_id bigint unique references lever_position (id) deferrable initially deferred, state text not null check (state in ('open', 'closed', 'own', 'skipped')),
        reason text, trader_lots numeric not null, at bigint not null, unique (trader_position, uid),
        check ((state = 'skipped') = (position_id is null)), check ((state = 'skipped') = (reason is not null)))`,
      'create index follow_copy_follow on follow_copy (follow_id)',
      'create index follow_copy_of on follow_copy (uid, id desc)',
      `create index follow_copy_open on follow_copy (trader_position) where state = 'open'`,
    ],
    ['follow-1', 'follow-2', 'follow-3', 'follow-4', 'follow-5'],
  ),
  statesMigration(
    'follow-states-1',
    [
      stateGuard({
        table: 'trader_application',
        column: 'status',
        machine: applicationMachine,
        fixed: ['id', 'uid', 'nickname', 'introduction', 'created'],
      }),
      stateGuard({
        table: 'follow',
        column: 'state',
        machine: followMachine,
        fixed: ['id', 'trader_uid', 'uid', 'type', 'number', 'stop_loss', 'agreed', 'created'],
      }),
      stateGuard({
        table: 'follow_copy',
        column: 'state',
        machine: copyMachine,
        fixed: ['id', 'follow_id', 'trader_position', 'uid', 'position_id', 'reason'],
      }),
    ],
    ['trader_application_keep'],
  ),
]
