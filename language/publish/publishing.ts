import type { Shows } from '#language/publish/covers.ts'
import type { DocumentKey } from '#language/publish/release.ts'
import type { Catalog, LintProblem } from '#language/types/catalog.ts'

/**
 * Messages between publisher, console and command line: the bodies of /console/api, as JSON. Times are ms since 1970 (UTC).
 * A path is relative to the project, with slashes: `schemas/screens/fund/withdraw.json`, `locales/en/fund.json`.
 */

/** `reviewer` works in the back office: deposits and withdrawals, identity verification, customers. */
export const roles = ['viewer', 'editor', 'approver', 'publisher', 'reviewer', 'administrator'] as const
export type Role = (typeof roles)[number]

/** All files that operators write: path → text. Answer of GET /console/api/files?draft= or ?release=. */
export interface FileSet {
  /** The base release of a draft, or the release itself. */
  release: number
  files: Record<string, string>
  /** For a draft: its changed files, by path. */
  changed: Record<string, DraftFile>
}
export interface DraftFile {
  path: string
  /** null: the file is removed. */
  text: string | null
  /** Incremented by each save. A save names the version on which it is based (0 for a file that the draft has not changed). */
  version: number
  /** SHA-256 of the text in the base release, or null without such a file. */
  baseSha: string | null
  by: string
  at: number
}

/** A file as it was saved, with what is wrong in its shape. It is saved all the same, so that nothing typed is lost. */
export interface SavedFile extends DraftFile {
  problems: LintProblem[]
}

const draftStates = ['open', 'submitted', 'approved', 'published', 'dropped'] as const
export type DraftState = (typeof draftStates)[number]
/** A named set of changed files on a base release. Any change sets its state to `open` again. */
export interface Draft {
  id: number
  name: string
  note: string
  state: DraftState
  base: number
  /** True when another release is live since: the draft must be merged before it can be published. */
  stale: boolean
  author: string
  createdAt: number
  updatedAt: number
  /** Changed paths, sorted. */
  paths: string[]
  /** SHA-256 of the whole set to be published, to which an approval is bound. Null without changes. */
  hash: string | null
  submittedBy: string | null
  /** Operators who created, changed or submitted it. None of them may approve it. */
  hands: string[]
  /** For a submitted or approved draft that changes routes or money calls: the approver must be an administrator too. */
  touchesMoney: boolean
  approval: Approval | null
  /** Set when the draft was returned, until it is submitted again. */
  rejection: { by: string; at: number; reason: string } | null
  /** Time of the scheduled release. */
  schedule: Schedule | null
  /** The release that was made from it. */
  release: number | null
}
interface Approval {
  hash: string
  by: string
  at: number
  note: string
  /** The approver's reason for approving without running flows; empty when they were run. */
  unrunFlows: string
}
export interface Schedule {
  id: number
  draft: number
  hash: string
  at: number
  by: string
  rollout: Rollout | null
  state: 'waiting' | 'done' | 'refused' | 'cancelled'
  /** Why the scheduled release was refused. */
  reason: string
}

/** Data of status 409 of PUT /console/api/drafts/:id/files, when another operator has saved in between. */
export interface SaveConflict {
  theirs: DraftFile
}

/** Clients that get a release before all others. An absent member matches every client; all present members must match. */
export interface Segment {
  /** Language ids. */
  languages?: string[]
  loggedIn?: boolean
  /** Minimum verification level. */
  kyc?: number
  /** Hashes of builds. */
  caps?: string[]
  /** Names of segments of the release's app document; a client must be in all of them. */
  named?: string[]
}
export interface Rollout {
  segment: Segment
  /** 0 to 100, share of the clients in the segment. A client that has the release keeps it when the share grows. */
  percent: number
}

const releaseKinds = ['files', 'publish', 'rollback', 'forced'] as const
/** `files`: made from the documents of the build. `forced`: published by a test without the checks. */
export type ReleaseKind = (typeof releaseKinds)[number]
export interface ReleaseInfo {
  number: number
  hash: string
  kind: ReleaseKind
  /**
   * `live` for all clients · `candidate` during its rollout · `past` live earlier · `stopped` its rollout was stopped by an operator or the
   * guard
   */
  state: 'live' | 'candidate' | 'past' | 'stopped'
  /** The release on which it was made, or for `rollback` the one whose content it has. */
  from: number | null
  draft: number | null
  author: string
  approver: string | null
  publisher: string
  note: string
  at: number
  rollout: Rollout | null
  documents: number
  flows: FlowState
  /** Time from which all clients get it; null while only a share does. */
  liveAt?: number | null
  /** For a `stopped` release: who stopped it, when and why. Null for releases stopped before this was recorded. */
  stop?: ReleaseStop | null
  /** An emergency release: client reports alone never stop it. */
  emergency?: boolean
}
export interface ReleaseStop {
  at: number
  /** Name of an operator, or `guard`. */
  by: string
  reason: string
  /** The guard stopped it because of client reports. */
  automatic: boolean
  /** Metrics at that moment; null when an operator stopped it. */
  figures: GuardMetrics | null
}
/** Whether the flows of a release were run before it went live. */
export type FlowState = 'passed' | 'failed' | 'not-run'

/** Client reports of one release since it went live. */
export interface GuardMetrics {
  release: number
  /** Number of reported screens. One client in ten reports; the number is not extrapolated. */
  shown: number
  broken: number
  refused: number
  failed: number
  /** Median time from tap to display, in ms; null without reports. */
  latencyMs: number | null
  /** Ratio of broken screens to shown screens. */
  errorRate: number
  /** `bad`: the guard stops the release · `suspect`: the guard leaves the decision to operators; the reason explains why. */
  verdict: 'healthy' | 'watching' | 'suspect' | 'bad'
  /** Explanation for operators, by code: what was measured against which limit. */
  reason: string
  /** The up to ten documents with most reports of broken nodes. */
  screens: BrokenScreen[]
}
export interface BrokenScreen {
  document: DocumentKey
  broken: number
}

/** A difference in a document. Nodes are matched by id, wherever they are. */
export interface Change {
  kind: 'added' | 'removed' | 'moved' | 'changed' | 'renamed'
  document: DocumentKey | `texts/${string}`
  path: string
  /** JSON pointer in the newer text, or in the older one for a removed part. */
  pointer: string
  /** Nearest node, field, entry, route or text key. */
  node: string | null
  /** Member: `props.title`, `show`; empty for the whole. */
  member: string
  before?: unknown
  after?: unknown
}
export interface DocumentDiff {
  path: string
  document: DocumentKey | `texts/${string}`
  state: 'added' | 'removed' | 'changed'
  changes: Change[]
  /** Screens that show it, including itself. */
  screens: string[]
}

/** A node, member, field or key that both sides have changed since the base. */
export interface MergeConflict {
  id: string
  path: string
  document: DocumentKey | `texts/${string}`
  pointer: string
  node: string | null
  member: string
  base?: unknown
  /** Value in the draft. */
  mine?: unknown
  /** Value in the live release. */
  theirs?: unknown
}
export interface MergeResult {
  draft: Draft
  /** Conflicts to be decided. While there are any, nothing is changed. */
  conflicts: MergeConflict[]
}

/** How much of the set a recently active build can show. */
export interface BuildImpact {
  caps: string
  own: boolean
  seenAt: number
  /** Share of the recently active clients, 0 to 1. */
  share: number
  /** Documents that the build cannot show and replaces by an older revision. */
  older: DocumentKey[]
  /** Documents that the build cannot show, without an older revision that it can. */
  never: DocumentKey[]
  /** The names that the build can show. */
  shows?: Shows
}

export const pipelineSteps = ['parse', 'types', 'lint', 'prepare', 'reach', 'flows', 'diff'] as const
/** Findings of the checks of a draft. */
export interface CheckReport {
  hash: string | null
  ok: boolean
  /** Errors block the release, warnings do not. */
  problems: LintProblem[]
  reach: BuildImpact[]
  diff: DocumentDiff[]
  /** Affected screens, whose flows must be run. */
  screens: string[]
  flows: FlowRun | null
  /** False when this server has no browser for flows. */
  canRunFlows: boolean
  /** The approver must be an administrator: the set changes routes or money calls. */
  touchesMoney: boolean
  ms: number
}
export interface FlowRun {
  hash: string
  state: 'running' | FlowState
  done: number
  total: number
  results: { flow: string; ok: boolean; ms: number; step: string; message: string }[]
  startedAt: number
  by: string
}

/** One row of the append-only log. `chain` is a hash over the previous row's `chain` and this row. */
export interface AuditRow {
  id: number
  at: number
  actor: string
  action: string
  /** `draft 12`, `release 7`, `operator ann`. */
  subject: string
  fromHash: string | null
  toHash: string | null
  reason: string
  detail: Record<string, unknown>
  chain: string
}

/** One step of a draft, from the log: action, actor, and note or reason. */
export type DraftStep = Pick<AuditRow, 'id' | 'at' | 'actor' | 'action' | 'reason' | 'detail'>

/** Text of one file before and after a row of the log; null without such a file. */
export interface AuditChange {
  path: string
  before: string | null
  after: string | null
}

/** Message of GET /console/api/events. It names what to load again. */
export interface ConsoleEvent {
  about: 'draft' | 'release' | 'guard' | 'flows' | 'operators'
  id: number | null
}

/** An operator who has a draft open, and the files that are open in all of the operator's tabs. */
export interface Present {
  name: string
  paths: string[]
}
/** Message `presence` of GET /console/api/events to operators who have a draft open: the other operators who have it open. */
export interface DraftPresence {
  draft: number
  others: Present[]
}

/** Names for completion and checks in the editor. */
export interface ConsoleCatalog {
  catalog: Catalog
  builds: BuildImpact[]
  canRunFlows: boolean
}
