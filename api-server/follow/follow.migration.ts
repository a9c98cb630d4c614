import { type ColumnType, type Generated, sql } from 'kysely'
import type { CopyState } from '#api-server/follow/follow.rules.ts'
import { applicationMachine, copyMachine, followMachine } from '#api-server/follow/follow.rules.ts'
import type { FollowState, FollowType, SkipReason, TraderRow } from '#contract/calls/follow.calls.ts'
import type { Migration } from '#server-kit/db/db.ts'
import { stateGuard, statesMigration } from '#server-kit/db/state-guard.ts'

declare module '#server-kit/db/db.ts' {
  interface Tables {
    /** Who asks to become a trader. A row that was decided stays as it is. */
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
    /** Who was accepted, with the figures that others see. */
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
      /** What open positions would have brought then. */
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
    /** Who copies whom, from when to when. */
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
     * What became of a position of a trader for one follower: copied (open, then closed), held by the follower alone (own), or skipped.
     * `trader_lots` is how much of the trader's position the copy is in line with; above what is open where the rest was too little to close.
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

export const followMigration: Migration = {
  id: 'follow-1',
  async up(tx) {
    for (const statement of [
      `create table trader_application (id int generated always as identity primary key, uid bigint not null, nickname text not null,
        introduction text not null, status text not null check (status in ('reviewing', 'failed', 'passed')), reason text not null default '',
        decided_by text not null default '', note text not null default '', created bigint not null, changed bigint not null,
        check (status <> 'failed' or reason <> ''), check (status = 'reviewing' or decided_by <> ''))`,
      `create unique index trader_application_name on trader_application (lower(nickname)) where status <> 'failed'`,
      `create unique index trader_application_open on trader_application (uid) where status <> 'failed'`,
      'create index trader_application_of on trader_application (uid, id desc)',
      'create index trader_application_status on trader_application (status, id)',
      `create function trader_application_keep() returns trigger language plpgsql as $$ begin
        raise exception 'an application that was decided does not change'; end $$`,
      `create trigger trader_application_decided before update on trader_application for each row when (old.status <> 'reviewing')
        execute function trader_application_keep()`,
      'create trigger trader_application_gone before delete on trader_application for each row execute function trader_application_keep()',
      `create table trader (uid bigint primary key, nickname text not null, introduction text not null, since bigint not null,
        followers int not null default 0, closed int not null default 0, winning int not null default 0, profit numeric not null default 0,
        best numeric not null default 0, worst numeric not null default 0, curve json not null default '[]', refreshed bigint not null)`,
      `create table follow (id int generated always as identity primary key, trader_uid bigint not null references trader (uid),
        uid bigint not null check (uid <> trader_uid), type text not null check (type in ('multiple', 'lots')),
        number numeric not null check (number > 0), stop_loss numeric check (stop_loss > 0),
        state text not null check (state in ('active', 'cancelled', 'lost')), created bigint not null, ended bigint,
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
      // What was opened lately by whom, for copies that are due.
      'create index lever_position_opened on lever_position (uid, opened) where opened is not null',
    ])
      await sql.raw(statement).execute(tx)
  },
}

/**
 * The database itself refuses every way from one state to another that there is not, see `canMove` and `canCopyMove`, and every change of who
 * follows whom and what a copy copies.
 */
export const followMovesMigration: Migration = {
  id: 'follow-2',
  async up(tx) {
    for (const statement of [
      `create function follow_moves() returns trigger language plpgsql as $$ begin
        if tg_op <> 'UPDATE' then raise exception 'followings are not removed'; end if;
        if not (old.state = 'active' and new.state in ('cancelled', 'lost')) then
          raise exception 'a following does not go from % to %', old.state, new.state; end if;
        if (old.id, old.trader_uid, old.uid, old.type, old.number, old.stop_loss, old.created) is distinct from
           (new.id, new.trader_uid, new.uid, new.type, new.number, new.stop_loss, new.created) then
          raise exception 'what was agreed does not change'; end if;
        return new; end $$`,
      `create function follow_copy_moves() returns trigger language plpgsql as $$ begin
        if tg_op <> 'UPDATE' then raise exception 'copies are not removed'; end if;
        if not (old.state = 'open' and new.state in ('open', 'closed', 'own')) then
          raise exception 'a copy does not go from % to %', old.state, new.state; end if;
        if (old.id, old.follow_id, old.trader_position, old.uid, old.position_id, old.reason) is distinct from
           (new.id, new.follow_id, new.trader_position, new.uid, new.position_id, new.reason) then
          raise exception 'what is copied does not change'; end if;
        return new; end $$`,
      'create trigger follow_row before update or delete on follow for each row execute function follow_moves()',
      'create trigger follow_copy_row before update or delete on follow_copy for each row execute function follow_copy_moves()',
    ])
      await sql.raw(statement).execute(tx)
  },
}

/** Keeps when the customer accepted both agreements. Followings that began before have no such time, and none is added later. */
export const followAgreedMigration: Migration = {
  id: 'follow-3',
  async up(tx) {
    for (const statement of [
      'alter table follow add column agreed bigint',
      `create or replace function follow_moves() returns trigger language plpgsql as $$ begin
        if tg_op <> 'UPDATE' then raise exception 'followings are not removed'; end if;
        if not (old.state = 'active' and new.state in ('cancelled', 'lost')) then
          raise exception 'a following does not go from % to %', old.state, new.state; end if;
        if (old.id, old.trader_uid, old.uid, old.type, old.number, old.stop_loss, old.agreed, old.created) is distinct from
           (new.id, new.trader_uid, new.uid, new.type, new.number, new.stop_loss, new.agreed, new.created) then
          raise exception 'what was agreed does not change'; end if;
        return new; end $$`,
    ])
      await sql.raw(statement).execute(tx)
  },
}

/** A trader can be ended, with a reason, and stays as the end has found them: neither the way back nor another figure. */
export const followEndedMigration: Migration = {
  id: 'follow-4',
  async up(tx) {
    for (const statement of [
      `alter table trader add column ended bigint, add column ended_by text not null default '', add column end_reason text not null default '',
        add check ((ended is null) = (ended_by = '')), add check ((ended is null) = (end_reason = ''))`,
      `create function trader_keep() returns trigger language plpgsql as $$ begin
        raise exception 'a trader who has ended does not change'; end $$`,
      'create trigger trader_ended before update or delete on trader for each row when (old.ended is not null) execute function trader_keep()',
    ])
      await sql.raw(statement).execute(tx)
  },
}

/** What a trader has not realised yet counts too. Days before this was kept have no point. */
export const followEquityMigration: Migration = {
  id: 'follow-5',
  async up(tx) {
    const added = `alter table trader add column open_profit numeric not null default 0, add column equity json not null default '[]'`
    await sql.raw(added).execute(tx)
  },
}

export const followStatesMigration = statesMigration(
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
)
