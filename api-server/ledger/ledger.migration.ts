import { sql } from 'kysely'
import type { AccountKind, EventKind } from '#contract/accounts.ts'
import { type Migration, sqlStep } from '#server-kit/db/db.ts'

declare module '#server-kit/db/db.ts' {
  interface Tables {
    /** Every change of balances. Append-only: a trigger refuses updates and deletes. */
    ledger_event: {
      id: number
      kind: EventKind
      source: string
      uid: number | null
      at: number
      /** Owner of the idempotency key of the event; null without a key. */
      key_owner: string | null
      key: string | null
    }
    /**
     * One line of an event. `seq` numbers the lines of an account; `balance` is the account's balance after the line; `hash` chains the
     * line to the account's line before. Owner columns are repeated here, so that a statement reads one range of an index.
     */
    ledger_posting: {
      event_id: number
      line: number
      account_id: number
      seq: number
      uid: number | null
      amount: string
      balance: string
      at: number
      hash: Buffer
    }
    /**
     * Current balance of an account and the end of its hash chain. `key` comes from `keyOf`. An account of the platform is split over
     * several rows.
     */
    ledger_account: {
      id: number
      key: string
      currency: number
      /** Decimals of the currency. */
      scale: number
      uid: number | null
      kind: AccountKind | null
      part: 'available' | 'frozen' | null
      position: number | null
      balance: string
      seq: number
      hash: Buffer
    }
  }
}

/** Names of the constraints, as errors report them; see ledger.store.ts. */
export const constraints = { covered: 'ledger_account_covered', held: 'ledger_account_held' } as const

const marginEvents = "kind ~ '^lever_'"
/** Events that move the margin of a position. An index has these words too, so that the query of the statement uses it. */
export const eventOfMargin = sql.raw<boolean>(`o.${marginEvents}`)

const tables = [
  `create sequence ledger_event_id as bigint`,
  `create table ledger_event (id bigint primary key, kind text not null, source text not null, uid bigint, at bigint not null,
    key_owner text collate "C", key text collate "C", unique (kind, source))`,
  `create table ledger_account (id bigint generated always as identity primary key, key text collate "C" not null,
    currency int not null references currency (id), scale int not null, uid bigint, kind text, part text, position bigint,
    balance numeric(38, 18) not null default 0 check (balance <> 'NaN'), seq bigint not null default 0, hash bytea not null default '',
    unique (key, currency),
    constraint ledger_account_covered check (part is distinct from 'available' or balance >= 0),
    constraint ledger_account_held check ((part is distinct from 'frozen' and position is null) or balance >= 0)) with (fillfactor = 70)`,
  `create index ledger_account_of on ledger_account (uid) where uid is not null`,
  `create table ledger_posting (event_id bigint not null, line int not null, account_id bigint not null, seq bigint not null, uid bigint,
    amount numeric(38, 18) not null check (amount <> 0 and amount <> 'NaN'), balance numeric(38, 18) not null check (balance <> 'NaN'),
    at bigint not null, hash bytea not null, primary key (event_id, line), unique (account_id, seq))`,
  `create index ledger_posting_of on ledger_posting (uid, at desc, event_id desc, line desc) where uid is not null`,
  // The idempotency key of an event is not hashed: keys are removed after a day, events never.
  'create index ledger_event_keyed on ledger_event (at) where key is not null',
  // The statement finds the margin of a customer's positions by their events.
  `create index ledger_event_margin on ledger_event (uid, at desc, id desc) where ${marginEvents}`,
  // Checks that the audit found broken, so that a restarted server and other nodes know: how many findings, and time and text of the first.
  'create table ledger_broken (name text collate "C" primary key, found bigint not null, at bigint, why text)',
]

/**
 * Locks accounts in the given order, creates those that are missing, and returns all in that order. While one is missing, they are locked one after
 * the other: if a transaction locked the existing accounts first and created the others afterwards, two transactions could wait for each other.
 * Accounts are found by an index, also while there are few: the plan is kept, because to plan it anew would take longer than to run it, and the
 * embedded database has nothing that replaces plans when a table has grown.
 */
const lockedAccounts = `create function ledger_accounts(p_keys text[], p_currencies int[]) returns setof ledger_account
  language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  loop
    return query select a.* from unnest(p_keys, p_currencies) with ordinality f (key, currency, n),
      lateral (select * from ledger_account where key = f.key and currency = f.currency for update) a
      where not exists (select from unnest(p_keys, p_currencies) m (key, currency)
        where (select id from ledger_account where key = m.key and currency = m.currency) is null)
      order by f.n;
    exit when found or cardinality(p_keys) = 0;
    for n in 1 .. cardinality(p_keys) loop
      loop
        perform from ledger_account where key = p_keys[n] and currency = p_currencies[n] for update;
        exit when found;
        insert into ledger_account (key, currency, scale, uid, kind, part, position)
          select p_keys[n], c.id, c.scale, case when w.owner = 'user' then w.number::bigint end,
            case when w.owner = 'user' then split_part(p_keys[n], ':', 3) end,
            case when w.owner = 'user' then split_part(p_keys[n], ':', 4) end,
            case when w.owner = 'position' then w.number::bigint end
          from currency c, (select split_part(p_keys[n], ':', 1) as owner, split_part(p_keys[n], ':', 2) as number) w
          where c.id = p_currencies[n] on conflict do nothing;
        if not found and not exists (select from currency where id = p_currencies[n]) then
          raise exception 'there is no currency %', p_currencies[n];
        end if;
      end loop;
    end loop;
  end loop;
end $$`

/**
 * Writes the lines of several events in the given order, which is the same for every transaction, and moves the balances. `p_events` names the event
 * of each line, `p_lines` its number there. The caller writes the events in the same statement, and has checked that the lines of each sum to zero.
 * The hash of a line covers the hash before and all fields of line and event. One statement locks all accounts in the order of the lines, and one for
 * each account writes it. Lines of one account stand together, as `linesOf` sorts them; if they did not, two of them would get the same number, which
 * is refused.
 * @returns the numbers of the events, in their order
 */
const postAll = `create function ledger_post_all(p_kinds text[], p_sources text[], p_uids bigint[], p_ats bigint[], p_events int[],
  p_lines int[], p_keys text[], p_currencies int[], p_amounts numeric[]) returns setof bigint language plpgsql as $$
declare
  events bigint[];
  abouts text[];
  -- The first line of each account, and the accounts in the same order. The rule against a balance below zero is null where there is none.
  firsts int[];
  keys text[];
  currencies int[];
  ids bigint[];
  scales int[];
  forbids text[];
  owners bigint[];
  last_seqs bigint[];
  last_balances numeric[];
  last_hashes bytea[];
  at int := 0;
  moved numeric(38, 18);
  -- Of each line.
  accounts bigint[];
  seqs bigint[];
  uids bigint[];
  balances numeric[];
  hashes bytea[];
begin
  for n in 1 .. cardinality(p_kinds) loop
    events[n] := nextval('ledger_event_id');
    abouts[n] := concat_ws('|', events[n], p_kinds[n], p_sources[n], coalesce(p_uids[n], 0), p_ats[n]);
  end loop;
  for n in 1 .. cardinality(p_keys) loop
    if n = 1 or p_keys[n] <> p_keys[n - 1] or p_currencies[n] <> p_currencies[n - 1] then
      firsts := firsts || n;
      keys := keys || p_keys[n];
      currencies := currencies || p_currencies[n];
    end if;
  end loop;
  select array_agg(l.id), array_agg(l.scale), array_agg(case when l.part = 'available' then '${constraints.covered}'
      when l.part = 'frozen' or l.position is not null then '${constraints.held}' end),
    array_agg(l.uid), array_agg(l.seq), array_agg(l.balance), array_agg(l.hash)
    into ids, scales, forbids, owners, last_seqs, last_balances, last_hashes
    from ledger_accounts(keys, currencies) l;
  for n in 1 .. cardinality(p_keys) loop
    if firsts[at + 1] = n then
      at := at + 1;
    end if;
    moved := p_amounts[n];
    if moved <> trunc(moved, scales[at]) then
      raise exception 'an amount of % is finer than currency %', moved, p_currencies[n];
    end if;
    last_seqs[at] := last_seqs[at] + 1;
    last_balances[at] := last_balances[at] + moved;
    if last_balances[at] < 0 and forbids[at] is not null then
      raise exception 'the balance of % in currency % would be %', p_keys[n], p_currencies[n], last_balances[at]
        using errcode = 'check_violation', constraint = forbids[at];
    end if;
    last_hashes[at] := sha256(last_hashes[at] || convert_to(concat_ws('|', p_keys[n], p_currencies[n], last_seqs[at], abouts[p_events[n]], p_lines[n],
      moved, last_balances[at]), 'UTF8'));
    accounts[n] := ids[at];
    seqs[n] := last_seqs[at];
    uids[n] := owners[at];
    balances[n] := last_balances[at];
    hashes[n] := last_hashes[at];
  end loop;
  for n in 1 .. cardinality(ids) loop
    update ledger_account set balance = last_balances[n], seq = last_seqs[n], hash = last_hashes[n] where id = ids[n];
  end loop;
  insert into ledger_posting (event_id, line, account_id, seq, uid, amount, balance, at, hash)
    select events[l.event], l.line, l.account, l.seq, l.uid, l.amount, l.balance, p_ats[l.event], l.hash
    from unnest(p_events, p_lines, accounts, seqs, uids, p_amounts, balances, hashes) l (event, line, account, seq, uid, amount, balance, hash);
  return query select unnest(events);
end $$`

const guards = [
  `create function ledger_only_grows() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is only added to' using errcode = 'restrict_violation';
end $$`,
  ...['ledger_event', 'ledger_posting'].flatMap((table) => [
    `create trigger only_grows before update or delete on ${table} for each row execute function ledger_only_grows()`,
    `create trigger never_emptied before truncate on ${table} for each statement execute function ledger_only_grows()`,
  ]),
  `create trigger never_removed before delete on ledger_account for each row execute function ledger_only_grows()`,
  `create trigger never_emptied before truncate on ledger_account for each statement execute function ledger_only_grows()`,
]

export const ledgerMigrations: readonly Migration[] = [
  sqlStep(
    'ledger-base',
    [...tables, lockedAccounts, postAll, ...guards],
    [1, 2, 3, 4, 5, 6, 7, 8].map((number) => `ledger-${number}`),
  ),
]
