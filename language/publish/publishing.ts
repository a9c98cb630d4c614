import type { Shows } from '#language/publish/covers.ts'
import type { DocumentKey } from '#language/publish/release.ts'
import type { Catalog, LintProblem } from '#language/types/catalog.ts'

/**
 * What publisher, console and command line say to each other: the bodies of /console/api, as JSON. Times are ms since 1970 (UTC).
 * A path is a file below the project with slashes: `schemas/screens/fund/withdraw.json`, `locales/en/fund.json`.
 */

/** `reviewer` works the desk: money that comes and goes, proofs of identity, customers. */
export const roles = ['viewer', 'editor', 'approver', 'publisher', 'reviewer', 'administrator'] as const
export type Role = (typeof roles)[number]

/** One state of everything that operators write: file path → text. What GET /console/api/files?draft= or ?release= answers. */
export interface FileSet {
  /** The release that is the base of a draft, or the release itself. */
  release: number
  files: Record<string, string>
  /** Of a draft: what it changes, by path. */
  changed: Record<string, DraftFile>
}
export interface DraftFile {
  path: string
  /** null: the file is taken out. */
  text: string | null
  /** Counts up with each save; a save names the one it was made from (0 for a file that the draft had not changed). */
  version: number
  /** sha256 of the base release's text, or null where it had no such file. */
  baseSha: string | null
  by: string
  at: number
}

const draftStates = ['open', 'submitted', 'approved', 'published', 'dropped'] as const
export type DraftState = (typeof draftStates)[number]
/** A named set of changed files on a base release. Any change takes it back to `open`. */
export interface Draft {
  id: number
  name: string
  note: string
  state: DraftState
  base: number
  /** True when another release went live since: it must be merged before it can be published. */
  stale: boolean
  author: string
  createdAt: number
  updatedAt: number
  /** Paths it changes, sorted. */
  paths: string[]
  /** sha256 over the whole set that it would publish; what an approval binds. Null while nothing is changed. */
  hash: string | null
  submittedBy: string | null
  /** Operators who made, changed or submitted it: none of them may approve it. */
  hands: string[]
  /** Submitted or approved, and it touches routes or calls that move money: its approver must also be an administrator. */
  touchesMoney: boolean
  approval: Approval | null
  /** Set where somebody sent it back, until it is submitted again. */
  rejection: { by: string; at: number; reason: string } | null
  /** When it goes live by itself. */
  schedule: Schedule | null
  /** The release that it became. */
  release: number | null
}
interface Approval {
  hash: string
  by: string
  at: number
  note: string
  /** What the approver said of flows that were not run, in words; empty where they were. */
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
  /** Why it was refused when it fired. */
  reason: string
}

/** PUT /console/api/drafts/:id/files when somebody else saved in between: status 409 with this in `data`. */
export interface SaveConflict {
  theirs: DraftFile
}

/** Who sees a release before all do. Members that are absent let everybody through; all that are there must fit. */
export interface Segment {
  /** Language ids. */
  languages?: string[]
  loggedIn?: boolean
  /** Least verification level. */
  kyc?: number
  /** Hashes of builds. */
  caps?: string[]
}
export interface Rollout {
  segment: Segment
  /** 0 to 100, of those in the segment; who is in stays in while it grows. */
  percent: number
}

const releaseKinds = ['files', 'publish', 'rollback', 'forced'] as const
/** `files`: taken from the documents that came with the build. `forced`: put past the checks by a test. */
export type ReleaseKind = (typeof releaseKinds)[number]
export interface ReleaseInfo {
  number: number
  hash: string
  kind: ReleaseKind
  /** `live` everybody sees it · `candidate` it is being rolled out · `past` it was live · `stopped` its rollout was ended, or the guard took it back */
  state: 'live' | 'candidate' | 'past' | 'stopped'
  /** The release it was made on, or with `rollback` the one whose content it has. */
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
  /** Since when everybody gets it; null while, or when, only some did. */
  liveAt?: number | null
  /** Set for a `stopped` release: who stopped it, when and why. Releases stopped before this was recorded have none. */
  stop?: ReleaseStop | null
  /** Published to repair something: reports of clients alone never take it back. */
  emergency?: boolean
}
export interface ReleaseStop {
  at: number
  /** Name of an operator, or `guard`. */
  by: string
  reason: string
  /** The guard stopped it, because of what clients reported. */
  automatic: boolean
  /** What clients had reported at that moment; null where an operator stopped it. */
  figures: GuardMetrics | null
}
/** Flows of a release: whether they were run before it went live. */
export type FlowState = 'passed' | 'failed' | 'not-run'

/** What clients told of one release, since it went live. */
export interface GuardMetrics {
  release: number
  /** Screens that were drawn, as far as clients tell (one in ten does; the figure is theirs, not multiplied). */
  shown: number
  broken: number
  refused: number
  failed: number
  /** Middle time from tap to picture, ms; null where nobody told. */
  latencyMs: number | null
  /** Broken screens to shown ones. */
  errorRate: number
  /** `bad`: the guard takes it back · `suspect`: it looks bad, but the guard leaves it to operators; the reason says why. */
  verdict: 'healthy' | 'watching' | 'suspect' | 'bad'
  /** In words for operators, by code: what was measured against which limit. */
  reason: string
  /** Documents whose reports of broken nodes were counted, the most frequent first; at most ten. */
  screens: BrokenScreen[]
}
export interface BrokenScreen {
  document: DocumentKey
  broken: number
}

/** A place in a document that differs. Nodes are matched by their ids wherever they stand. */
export interface Change {
  kind: 'added' | 'removed' | 'moved' | 'changed' | 'renamed'
  document: DocumentKey | `texts/${string}`
  path: string
  /** JSON pointer in the newer text, or in the older where it was removed. */
  pointer: string
  /** Nearest node, field, entry, route or text key. */
  node: string | null
  /** Member of it: `props.title`, `show`, or empty for the whole. */
  member: string
  before?: unknown
  after?: unknown
}
export interface DocumentDiff {
  path: string
  document: DocumentKey | `texts/${string}`
  state: 'added' | 'removed' | 'changed'
  changes: Change[]
  /** Screens that show it, itself among them. */
  screens: string[]
}

/** A node, member, field or key that both sides changed since the base. */
export interface MergeConflict {
  id: string
  path: string
  document: DocumentKey | `texts/${string}`
  pointer: string
  node: string | null
  member: string
  base?: unknown
  /** The draft's. */
  mine?: unknown
  /** The live release's. */
  theirs?: unknown
}
export interface MergeResult {
  draft: Draft
  /** What is left to be decided; while there is any, nothing was changed. */
  conflicts: MergeConflict[]
}

/** How far a build that asked lately can show the set. */
export interface BuildImpact {
  caps: string
  own: boolean
  seenAt: number
  /** Share of the clients that asked lately, 0 to 1. */
  share: number
  /** Documents that it cannot show and for which it stays on an older revision. */
  older: DocumentKey[]
  /** Those for which there is no older revision that it can show. */
  never: DocumentKey[]
  /** What it can show at all. */
  shows?: Shows
}

export const pipelineSteps = ['parse', 'types', 'lint', 'prepare', 'reach', 'flows', 'diff'] as const
/** What the checks found of a draft. */
export interface CheckReport {
  hash: string | null
  ok: boolean
  /** Errors stop the release, warnings do not. */
  problems: LintProblem[]
  reach: BuildImpact[]
  diff: DocumentDiff[]
  /** Screens that are touched, and so the flows that must be run. */
  screens: string[]
  flows: FlowRun | null
  /** False where this server has no browser to run flows in. */
  canRunFlows: boolean
  /** A second pair of eyes is asked of an administrator: the set touches routes or calls that move money. */
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

/** One row of the log. It is only ever added to; `chain` is a hash over the row before and this one. */
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

/** One step of a draft, from the log: what was done, by whom, with what note or reason. */
export type DraftStep = Pick<AuditRow, 'id' | 'at' | 'actor' | 'action' | 'reason' | 'detail'>

/** The text of one file before and after a row of the log; null where there was no such file. */
export interface AuditChange {
  path: string
  before: string | null
  after: string | null
}

export interface AuditPage {
  rows: AuditRow[]
  /** Rows that fit, of all pages. */
  total: number
}
/** A message of GET /console/api/events. Each says only what to ask for again. */
export interface ConsoleEvent {
  about: 'draft' | 'release' | 'guard' | 'flows' | 'operators'
  id: number | null
}

/** What the editor completes and checks against. */
export interface ConsoleCatalog {
  catalog: Catalog
  builds: BuildImpact[]
  canRunFlows: boolean
}
