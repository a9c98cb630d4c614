import { type Generated, sql } from 'kysely'
import { machine, type StateOf } from '#contract/rules/machine.rules.ts'
import { type Migration, sqlStep } from '#server-kit/db/db.ts'
import { stateGuard, statesMigration } from '#server-kit/db/state-guard.ts'

/** The moves of a proposal. It is overtaken by a change that needs no second operator and came first. */
const proposalMachine = machine({
  open: { agree: 'agreed', refuse: 'refused', withdraw: 'withdrawn', overtake: 'overtaken' },
  agreed: {},
  refused: {},
  withdrawn: {},
  overtaken: {},
})

/** A change that a second operator must agree to. */
export interface OfficeProposalRow {
  id: Generated<number>
  /** Of proposals, see defineProposal. */
  kind: string
  /** The thing that is to change, such as contract:BTCUSDT. One proposal of a kind at most is open for it. */
  subject: string
  /** Version on which the change is based; 0 for something new. */
  version: number
  /** Terms before the change; null for something new. */
  before: unknown
  after: unknown
  operator_id: number
  operator: string
  /** ms UTC, as `decided_at` */
  at: number
  state: StateOf<typeof proposalMachine>
  /** Name of the operator; empty while it is open. */
  decided_by: string
  decided_at: number | null
}

declare module '#server-kit/db/db.ts' {
  interface Tables {
    office_proposal: OfficeProposalRow
    /** Terms of products, as JSON by the schema of their definition. The highest version of a key counts; rows are only added. */
    terms: { product: string; key: string; version: number; terms: unknown; changed_by: string; at: number }
  }
}

/** Proposals of all kinds, and terms of all products. */
const officeMigration: Migration = {
  id: 'office-1',
  async up(tx) {
    for (const statement of [
      `create table office_proposal (id int generated always as identity primary key, kind text not null, subject text not null,
        version int not null check (version >= 0), before jsonb, after jsonb, operator_id bigint not null, operator text not null, at bigint not null,
        state text not null default 'open' check (state in ('open', 'agreed', 'refused', 'withdrawn', 'overtaken')),
        decided_by text not null default '', decided_at bigint, check ((state = 'open') = (decided_at is null) and (state = 'open') = (decided_by = '')))`,
      `create unique index office_proposal_open on office_proposal (kind, subject) where state = 'open'`,
      `create table terms (product text not null, key text not null, version int not null check (version > 0), terms jsonb not null,
        changed_by text not null, at bigint not null, primary key (product, key, version))`,
      `create function terms_keep() returns trigger language plpgsql as $$ begin raise exception 'versions of terms are only added'; end $$`,
      'create trigger terms_row before update or delete on terms for each row execute function terms_keep()',
    ])
      await sql.raw(statement).execute(tx)
  },
}

/** Rows of the log about settings, terms, hours, halts and offers. The query of the last one has these words too, so that it uses the index. */
export const aboutShownChanges = sql<boolean>`action ~ '^(settings|instrument|terms|hours|offer)[.]'`

const shownAs = (column: string) => `'${column}', trim_scale(${column})::text`

/** Terms and proposals of trading, of the rule of two and of offers move here; their own tables go. */
const officeMovesMigration: Migration = {
  id: 'office-2',
  async up(tx) {
    const columns = '(kind, subject, version, before, after, operator_id, operator, at, state, decided_by, decided_at)'
    for (const statement of [
      'insert into terms select product, symbol, version, terms::jsonb, changed_by, at from trading_terms',
      `insert into terms select 'settings', name, 1, jsonb_build_object(name, value), changed_by, coalesce(changed_at, 0) from desk_setting`,
      `insert into office_proposal ${columns} select coalesce(p.product, 'hours'), coalesce(p.symbol, p."group"), p.version,
        coalesce((select t.terms::jsonb from trading_terms t where t.product = p.product and t.symbol = p.symbol and t.version = p.version),
          (select c.calendar::jsonb from trading_calendar c where c."group" = p."group" and c.version = p.version)),
        p.terms::jsonb, p.operator_id, p.operator, p.at, p.state, p.decided_by, p.decided_at from trading_proposal p order by p.id`,
      `insert into office_proposal ${columns} select 'settings', name, 1, jsonb_build_object(name, from_value), jsonb_build_object(name, to_value),
        operator_id, operator, at, state, decided_by, decided_at from desk_proposal order by id`,
      `insert into office_proposal ${columns} select 'offer', id::text, 1, null, jsonb_build_object(${['price', 'amount_min', 'amount_max', 'whole'].map(shownAs).join()},
          'from', from_at, 'until', until_at, 'replaces', replaces), proposed_by_id, proposed_by, created_at,
        case status when 'proposed' then 'open' when 'withdrawn' then 'withdrawn' when 'refused' then 'refused' else 'agreed' end,
        decided_by, case when status <> 'proposed' then changed_at end from otc_offer order by id`,
      'drop table trading_proposal',
      'drop table trading_terms',
      'drop table desk_proposal',
      'drop table desk_setting',
      'drop index desk_audit_changes',
    ])
      await sql.raw(statement).execute(tx)
    await sql`create index desk_audit_changes on desk_audit (id) where ${aboutShownChanges}`.execute(tx)
  },
}

/** Accounts that an operator has asked to freeze: a proposal of the kind `freeze`, like other changes of two operators. */
const freezingMigration = sqlStep('office-3', [
  `insert into office_proposal (kind, subject, version, before, after, operator_id, operator, at) select 'freeze', id::text, 0, null, 'null',
    freeze_asked_by, freeze_asked_name, (select coalesce(max(at), 0) from desk_audit where action = 'customer.freeze_first' and subject = 'customer:' || id)
    from account where freeze_asked_by is not null`,
  'alter table account drop column freeze_asked_by, drop column freeze_asked_name',
])

const choiceOf = (column: string) => `case when ${column} then 'open' else 'closed' end`

/** Parameters of the wallet become terms, see wallet.terms.ts. */
const walletTermsMigration = sqlStep('office-4', [
  `insert into terms select 'exchange', 'wallet', 1, jsonb_object_agg(substr(name, 10), trim_scale(value)::text), '', 0 from wallet_setting
    where name in ('exchange_spread', 'exchange_tolerance')`,
  `insert into terms select 'level', level::text, 1, jsonb_build_object(${['limit_btc', 'order_limit_usd'].map(shownAs).join()}), '', 0 from wallet_level`,
  `insert into terms select 'coin', c.code, 1, jsonb_build_object('exchange', ${choiceOf('w.exchange')}, ${shownAs('exchange_min')}), '', 0
    from wallet_coin w join currency c on c.id = w.currency_id`,
  `insert into terms select 'route', c.code || '_' || r.route, 1, jsonb_build_object('currency', c.code, 'route', r.route,
      'list_place', row_number() over (partition by c.id order by r.position), 'address_kind', coalesce(r.address_kind, 'bank'),
      'recharge', ${choiceOf('r.recharge')}, 'withdraw', ${choiceOf('r.withdraw')},
      ${['recharge_min', 'withdraw_min', 'fee', 'fee_rate'].map(shownAs).join()}), '', 0
    from wallet_route r join currency c on c.id = r.currency_id`,
  'drop table wallet_setting, wallet_level, wallet_coin, wallet_route',
])

const officeStatesMigration = statesMigration('office-states-1', [
  stateGuard({
    table: 'office_proposal',
    column: 'state',
    machine: proposalMachine,
    fixed: ['id', 'kind', 'subject', 'version', 'before', 'after', 'operator_id', 'operator', 'at'],
  }),
])

/** After those of all modules, since they move rows of some. */
export const officeMigrations: readonly Migration[] = [
  officeMigration,
  officeMovesMigration,
  officeStatesMigration,
  freezingMigration,
  walletTermsMigration,
]
