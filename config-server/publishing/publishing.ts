import type { Release } from '#config-server/release.rules.ts'
import type { ConsoleAction } from '#contract/console/console.rows.ts'
import type {
  AuditChange,
  AuditRow,
  BuildImpact,
  CheckReport,
  ConsoleEvent,
  DocumentDiff,
  Draft,
  DraftStep,
  FileSet,
  FlowRun,
  GuardMetrics,
  MergeResult,
  ReleaseInfo,
  Role,
  Rollout,
  SavedFile,
  Schedule,
} from '#language/publish/publishing.ts'
import type { SourceFile } from '#language/types/catalog.ts'
import type { AuditVerdict } from '#server-kit/db/audit-log.ts'
import type { Tx } from '#server-kit/db/db.ts'

/**
 * The author of an action. Roles are asked of operators alone: the system imports files and fires schedules, the guard stops and rolls
 * back, and tests may do everything.
 */
export interface Actor {
  name: string
  roles: readonly Role[]
  kind: 'operator' | 'system' | 'guard' | 'test'
}
export const systemActor: Actor = { name: 'system', roles: [], kind: 'system' }
export const guardActor: Actor = { name: 'guard', roles: [], kind: 'guard' }
export const testActor: Actor = { name: 'test', roles: [], kind: 'test' }

/** A row of the log with the name of the draft that it is about; empty for other subjects. */
export type NamedAuditRow = AuditRow & { name: string }

/** Texts are found in any part and in any case. */
export interface AuditFilter {
  actor?: string | undefined
  /** `publish`, or everything of one kind: `release.`. */
  action?: string | undefined
  /** One draft or release (`draft 12`), or part of a draft's name, a path, an operator's name, an action or a reason. */
  subject?: string | undefined
  /** Ms since 1970, inclusive. */
  from?: number | undefined
  /** Exclusive. */
  to?: number | undefined
  /** Rows older than this id. */
  before?: number | undefined
  /** So many of the newest rows are left out. */
  offset?: number | undefined
  /** At most 1,000; 100 by default. */
  limit?: number | undefined
}
export interface AuditEntry {
  action: ConsoleAction
  /** `draft 12`, `release 7`, `operator ann`. */
  subject: string
  fromHash?: string | null
  toHash?: string | null
  reason?: string
  /** JSON; no secrets. */
  detail?: Record<string, unknown>
}
/** The change to a release that is being rolled out. Exactly one of its members beside `reason`, or percent and segment together. */
export interface RolloutChange {
  /** 0 to 100. */
  percent?: number | undefined
  segment?: Rollout['segment'] | undefined
  /** Everybody gets it. */
  complete?: boolean | undefined
  /** Everybody goes back to the release before. */
  stop?: boolean | undefined
  /** Only while this is what is being rolled out: what was decided about one release does nothing to the next. */
  release?: number | undefined
  reason: string
  /** With `stop`: what the guard had measured; kept with the release. */
  figures?: GuardMetrics | undefined
}
export interface RollbackRequest {
  reason: string
  /** Only while this one is live and nothing is being rolled out. */
  from?: number | undefined
  /** Also to a release that was stopped. */
  force?: boolean | undefined
  /** The guard's metrics of the live release; that one is marked as stopped. */
  figures?: GuardMetrics | undefined
}
export interface PublishRequest {
  /** Of the draft, as the publisher saw it. */
  hash: string
  reason: string
  /** Absent: everybody gets it at once. */
  rollout?: Rollout | undefined
  /** Ms since 1970; absent: now. */
  at?: number | undefined
  /** It repairs something: the guard asks operators rather than take it back. Not with `at`. */
  emergency?: boolean | undefined
}

/** Which releases clients get now. */
export interface Live {
  stable: ReleaseInfo
  candidate: ReleaseInfo | null
  /** Counts up whenever either changes. */
  version: number
}

/**
 * Drafts, approvals and releases. Every change is one transaction together with its row in the audit log; it takes the actor first, asks
 * his role where he is an operator (`not_allowed`), and throws ApiProblem for what people can do wrong. Reads take no actor: who may
 * read at all is the caller's to ask. Ids that there are not are `not_found`.
 */
export interface Publishing {
  // Reads.
  /** @throws not_found while nothing is published, which only happens to a server that watches broken files */
  live(): Live
  drafts(): Promise<Draft[]>
  draft(id: number): Promise<Draft>
  /** Every file of a draft (its base with its changes) or of a release, as text. */
  files(of: { draft: number } | { release: number }): Promise<FileSet>
  /** The newest first; at most 200. */
  releases(): Promise<ReleaseInfo[]>
  release(number: number): Promise<ReleaseInfo>
  /** Semantic difference of two releases. @param against the one that it was made on where it is absent */
  diff(number: number, against?: number): Promise<DocumentDiff[]>
  /** Prepared documents and texts of a draft, as a client would get them; for flows. @throws checks_failed with `data: {problems}` */
  prepared(draft: number): Promise<Release>
  /** The same of a release that was published. */
  served(number: number): Promise<Release>
  /** Builds that asked lately, and how much of the live release each can show. */
  impact(): Promise<BuildImpact[]>
  /** Returns the steps of a draft, the newest first, without its saves. At most 200. */
  history(draft: number): Promise<DraftStep[]>
  /** Newest first. */
  audit(filter: AuditFilter): Promise<{ rows: NamedAuditRow[]; total: number }>
  /** @throws not_found */
  auditRow(id: number): Promise<NamedAuditRow>
  /** Returns the change that a row of the log made to one file: its text before and after. @throws not_found for rows about no file */
  auditChange(row: number): Promise<AuditChange>
  /** Walks the whole log and compares each row with its chain. */
  verifyAudit(): Promise<AuditVerdict>

  // Drafts: role editor. Any change takes the draft back to `open` and voids its approval and schedule.
  /**
   * On the release that is live.
   * @param request `from`: with the content of that release
   * @throws name_taken where an open draft is called so, too_large for a name or note beyond its bounds, not_found
   */
  create(actor: Actor, request: { name: string; note?: string | undefined; from?: number | undefined }): Promise<Draft>
  rename(actor: Actor, draft: number, request: { name?: string | undefined; note?: string | undefined }): Promise<Draft>
  /**
   * Saves one file. `version` is the one that the edit was made from: 0 where the draft had not changed the file. A text that equals the base's
   * takes the file out of the draft; null takes the file out of the product. A document whose shape is wrong is saved, and the answer says so.
   * @throws save_conflict with `data: SaveConflict`, too_large, state_wrong once it is published or dropped, not_found for a path that cannot be a source
   */
  save(actor: Actor, draft: number, file: { path: string; text: string | null; version: number }): Promise<SavedFile>
  /** A file is as in the base release again. */
  revert(actor: Actor, draft: number, path: string): Promise<Draft>
  /** Nobody sees it any more but the log. Its author, or an administrator. */
  drop(actor: Actor, draft: number): Promise<Draft>
  /** Makes a draft of a whole folder's sources: what it lacks is taken out, what differs is changed. @throws too_large */
  importFiles(actor: Actor, request: { name: string; note?: string | undefined; files: readonly SourceFile[] }): Promise<Draft>
  /**
   * Takes over what went live since the draft's base, node by node. While there are conflicts without a choice nothing is changed.
   * @param choices conflict id → whose
   */
  merge(actor: Actor, draft: number, choices: Readonly<Record<string, 'mine' | 'theirs'>>): Promise<MergeResult>

  /** A remark on a draft, which its history keeps; it changes nothing of the draft. Everybody but viewers. @throws reason_missing, state_wrong */
  comment(actor: Actor, draft: number, text: string): Promise<DraftStep[]>

  // Review.
  /** Parse, lint, prepare, impact on builds, diff; changes nothing. Answers from memory while the hash is the same. */
  check(draft: number): Promise<CheckReport>
  /** The last run of flows over exactly what the draft holds now. */
  flows(draft: number): Promise<FlowRun | null>
  /** Remembers a run, under its hash; a running one too. */
  keepFlows(actor: Actor, draft: number, run: FlowRun): Promise<void>
  /** Role editor. @throws checks_failed, stale_base, state_wrong where it is not open or changes nothing */
  submit(actor: Actor, draft: number, request: { note: string }): Promise<Draft>
  /** Back to open. Role editor. */
  withdraw(actor: Actor, draft: number): Promise<Draft>
  /**
   * Role approver; with `touchesMoney` administrator too. Never who made, saved in, or submitted it (own_draft).
   * @throws hash_changed, checks_failed, stale_base, flows_not_run when flows were not run over this hash and `unrunFlows` says nothing of it
   */
  approve(actor: Actor, draft: number, request: { hash: string; note: string; unrunFlows: string }): Promise<Draft>
  /** Role approver. @throws reason_missing */
  reject(actor: Actor, draft: number, request: { hash: string; reason: string }): Promise<Draft>

  // The pointer: role publisher. The caller asks for a fresh login.
  /**
   * Checks again, then makes the draft a release, at once or at a time.
   * @throws not_approved, hash_changed, stale_base, checks_failed, flows_not_run, reason_missing, state_wrong while another release is being rolled out
   */
  publish(actor: Actor, draft: number, request: PublishRequest): Promise<ReleaseInfo | Schedule>
  /** @throws reason_missing, state_wrong when none waits */
  cancelSchedule(actor: Actor, draft: number, reason: string): Promise<Draft>
  /** Widens, completes or stops what is being rolled out. @throws state_wrong when nothing is, reason_missing */
  rollout(actor: Actor, change: RolloutChange): Promise<ReleaseInfo>
  /**
   * A new release with the content of an earlier one; what is being rolled out is stopped. Not checked: it is the way out.
   * @throws reason_missing, state_wrong when that content is live already, release_stopped for a release that was stopped, without `force`
   */
  rollback(actor: Actor, number: number, request: RollbackRequest): Promise<ReleaseInfo>
  /** `rollout(actor, {stop: true, reason, release, figures})`. */
  stop(actor: Actor, reason: string, release?: number, figures?: GuardMetrics): Promise<ReleaseInfo>

  /**
   * A row that is about no draft: logins, roles, exports.
   * @param tx the change that it records, as its last statement; absent: by itself
   */
  note(actor: Actor, entry: AuditEntry, tx?: Tx): Promise<void>

  /** For tests of what must not happen: the live documents with these over them, unchecked; null takes one out. */
  publishUnchecked(actor: Actor, documents: Readonly<Record<string, unknown>>): Promise<ReleaseInfo>
  /** Back from what `publishUnchecked` made. */
  restore(actor: Actor): Promise<ReleaseInfo>

  /** Told after a change was stored, here or on another node. @returns ends it */
  onChange(listener: (event: ConsoleEvent) => void): () => void
  /** Fires what is due, and looks whether another node moved the pointer. Runs by itself each second; tests call it. */
  tick(): Promise<void>
  close(): Promise<void>
}
