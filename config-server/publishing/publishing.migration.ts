import type { Requires } from '#language/publish/covers.ts'
import type { AuditRow, DraftState, FlowState, ReleaseKind, ReleaseStop, Rollout, Schedule } from '#language/publish/publishing.ts'
import { type Migration, sqlStep } from '#server-kit/db/db.ts'

/** JSON columns take text and give what it says. Times are ms UTC; names are those of operators, or of the system, the guard, a test. */
export interface ReleaseRow {
  number: number
  /** Over the sources. */
  hash: string
  /** Over the prepared documents and words, as manifests carry it. */
  served: string
  kind: ReleaseKind
  from_number: number | null
  draft: number | null
  author: string
  approver: string | null
  publisher: string
  note: string
  at: number
  flows: FlowState
  document_count: number
  /** Its rollout was ended before everybody had it, or the guard took it back. */
  stopped: boolean
  /** The operator or guard that stopped it, and the reason. */
  stop: ReleaseStop | string | null
  emergency: boolean
  rollout: Rollout | string | null
  /** Since when everybody gets it. */
  live_at: number | null
  /** Path → sha256. */
  sources: Record<string, string> | string
  documents: Record<string, WrittenDocument> | string
  /** Language → area → sha256. */
  texts: Record<string, Record<string, string>> | string
}
interface WrittenDocument {
  sha256: string
  requires: Requires
  uses: string[]
  areas: string[]
}
interface LiveRow {
  id: number
  stable: number | null
  candidate: number | null
  rollout: Rollout | string | null
  version: number
  changed_at: number
  /** Sources of the build's files, as they were last taken in: path → sha256. */
  imported: Record<string, string> | string | null
  /** Hash of these files and of what checked them; null where that is not known. */
  checked_by: string | null
}
export interface DraftRow {
  id: number
  name: string
  note: string
  state: DraftState
  base: number
  author: string
  created_at: number
  updated_at: number
  /** Counts up with each change; the version of a file is the one at which it was saved. */
  version: number
  hash: string | null
  submitted_by: string | null
  /** Everybody who wrote in it: none of them may approve it. */
  hands: string[] | string
  rejection: { by: string; at: number; reason: string } | string | null
  release: number | null
}
export interface DraftFileRow {
  draft: number
  path: string
  sha256: string | null
  version: number
  base_sha: string | null
  by_name: string
  at: number
}
export interface ApprovalRow {
  draft: number
  hash: string
  by_name: string
  at: number
  note: string
  unrun_flows: string
}
export interface ScheduleRow {
  id: number
  draft: number
  hash: string
  at: number
  by_name: string
  rollout: Rollout | string | null
  note: string
  state: Schedule['state']
  reason: string
}
/** The counts of one node in one minute; see guard/metrics.ts. */
interface MetricsRow {
  release: number
  minute: number
  node: string
  sums: Record<string, number> | string
}

declare module '#server-kit/db/db.ts' {
  interface Tables {
    config_text: { sha256: string; text: string }
    config_release: ReleaseRow
    config_live: LiveRow
    config_draft: DraftRow
    config_draft_file: DraftFileRow
    config_approval: ApprovalRow
    config_schedule: ScheduleRow
    config_flow_run: { hash: string; run: unknown; at: number }
    config_audit: {
      [Column in 'id' | 'at' | 'actor' | 'action' | 'subject' | 'reason' | 'chain']: AuditRow[Column]
    } & { from_hash: string | null; to_hash: string | null; detail: Record<string, unknown> | string }
    config_build: { hash: string; catalog: unknown; own: boolean; seen_at: number }
    config_figures: MetricsRow
  }
}

/** Tables of drafts and releases. Rows of the log can only be added: the database itself refuses other changes. */
export const publishingMigrations: readonly Migration[] = [
  sqlStep(
    'config-publishing-base',
    [
      'create table config_text (sha256 text primary key, text text not null)',
      `create table config_release (number bigint primary key, hash text not null, served text not null, kind text not null,
        from_number bigint, draft bigint, author text not null, approver text, publisher text not null, note text not null, at bigint not null,
        flows text not null, document_count int not null, stopped boolean not null default false, rollout json, live_at bigint,
        sources json not null, documents json not null, texts json not null, stop json,
        emergency boolean not null default false)`,
      `create table config_live (id int primary key check (id = 1), stable bigint references config_release (number),
        candidate bigint references config_release (number), rollout json, version bigint not null, changed_at bigint not null, imported json, checked_by text,
        check ((candidate is null) = (rollout is null)))`,
      'insert into config_live (id, version, changed_at) values (1, 0, 0)',
      'create sequence config_draft_id as bigint',
      `create table config_draft (id bigint primary key default nextval('config_draft_id'), name text not null, note text not null,
        state text not null, base bigint not null references config_release (number), author text not null, created_at bigint not null,
        updated_at bigint not null, version bigint not null default 0, hash text, submitted_by text, hands json not null, rejection json,
        release bigint references config_release (number))`,
      `create unique index config_draft_name on config_draft (lower(name)) where state not in ('published', 'dropped')`,
      `create table config_draft_file (draft bigint not null references config_draft (id), path text not null,
        sha256 text references config_text (sha256), version bigint not null, base_sha text, by_name text not null, at bigint not null,
        primary key (draft, path))`,
      `create table config_approval (draft bigint primary key references config_draft (id), hash text not null, by_name text not null,
        at bigint not null, note text not null, unrun_flows text not null)`,
      'create sequence config_schedule_id as bigint',
      `create table config_schedule (id bigint primary key default nextval('config_schedule_id'),
        draft bigint not null references config_draft (id), hash text not null, at bigint not null, by_name text not null, rollout json,
        note text not null, state text not null, reason text not null default '')`,
      `create unique index config_schedule_waiting on config_schedule (draft) where state = 'waiting'`,
      'create table config_flow_run (hash text primary key, run json not null, at bigint not null)',
      `create table config_audit (id bigint primary key, at bigint not null, actor text not null, action text not null,
        subject text not null, from_hash text, to_hash text, reason text not null, detail json not null, chain text not null)`,
      'create index config_audit_subject on config_audit (subject, id)',
      `create function config_audit_keeps() returns trigger language plpgsql as $$
      begin raise exception 'the log of publishing is only added to'; end $$`,
      'create trigger config_audit_rows before update or delete on config_audit for each row execute function config_audit_keeps()',
      'create trigger config_audit_table before truncate on config_audit for each statement execute function config_audit_keeps()',
      'create table config_build (hash text primary key, catalog json not null, own boolean not null, seen_at bigint not null)',
      `create table config_figures (release bigint not null, minute bigint not null, node text not null, sums json not null,
        primary key (release, minute, node))`,
    ],
    ['config-publishing-1', 'config-publishing-2', 'config-draft-texts-1', 'config-publishing-3'],
  ),
]
