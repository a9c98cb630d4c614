import type { CheckPart } from '#console/io/checker.worker.ts'
import type { ConsoleError } from '#console/io/client.ts'
import type { WordTrees } from '#console/io/sources.ts'
import type { BuildImpact, Draft, DraftFile } from '#language/publish/publishing.ts'
import type { DocumentKey } from '#language/publish/release.ts'
import type { Catalog, LintProblem, PreparedDocument, SourceDocument } from '#language/types/catalog.ts'

/** A set as clients would get it: fragments inlined. Objects of documents that did not change are the same objects from check to check. */
export interface PreparedSet {
  /** Counts up with every new set. */
  revision: number
  documents: Readonly<Record<DocumentKey, PreparedDocument>>
  /** language → area → tree of words. */
  words: Readonly<WordTrees>
}

/** How saving stands. `waiting` also while the server cannot be reached: unsaved edits are kept in this browser meanwhile. */
export interface SaveState {
  state: 'saved' | 'waiting' | 'saving' | 'offline' | 'conflict' | 'refused'
  /** Paths that the server does not have yet. */
  pending: readonly string[]
  error: ConsoleError | null
  savedAt: number | null
}

/** The same file was saved by somebody else since it was read here. */
export interface Conflict {
  path: string
  /** The text in this browser; null: removed. */
  mine: string | null
  theirs: DraftFile
  /** The text both began with, where it is still known. */
  base: string | null
}

/** One draft (or one release, which cannot be edited) as the console shows it. A new object with each change of anything in it. */
export interface WorkspaceView {
  status: 'none' | 'loading' | 'ready' | 'failed'
  error: ConsoleError | null
  draft: Draft | null
  release: number | null
  /** False for releases, published and dropped drafts, and operators who only read. */
  editable: boolean
  /** path → text of the base release. */
  base: Readonly<Record<string, string>>
  /** path → text now: base, changes of the draft, edits that are not saved yet. */
  files: Readonly<Record<string, string>>
  /** Paths that differ from the base, sorted. */
  changed: readonly string[]
  /** The last save of each changed file, with its author, by path. */
  saved: Readonly<Record<string, DraftFile>>
  catalog: Catalog | null
  /** Builds that ask for documents, and how far the live release reaches them. */
  builds: readonly BuildImpact[]
  /** Whether the server can run flows. */
  canRunFlows: boolean
  /** The problems that the checks found in `files`; the earlier ones stay until the next check is complete. */
  problems: readonly LintProblem[]
  /** The last set that could be read: also with lint errors, so that work in progress has a picture. Null before the first. */
  prepared: PreparedSet | null
  /** When the last edit was made, by `performance.now()`; undefined before the first. */
  editedAt: number | undefined
  /** True while `prepared` and `problems` are of an older state of `files`. */
  checking: boolean
  /** Files that cannot be read as documents now; `prepared` keeps their last good state. */
  unread: readonly string[]
  /**
   * The documents as the engine reads them, by file: short forms expanded, expressions compiled. Everything that asks what a document means
   * reads these. Of files in `unread` there is what is usable, if anything. Null before the first answer.
   */
  sources: readonly SourceDocument[] | null
  /** Why a part of the checks could not be done; what it answered before is of an older state of `files`. */
  broken: Readonly<Partial<Record<CheckPart, string>>>
  /** How long the last check took, ms; null before the first. */
  checkMs: number | null
  save: SaveState
  conflicts: readonly Conflict[]
  /** The last file in which another's save and edits of here were put together by themselves. */
  joined: { path: string; by: string; version: number } | null
  canUndo: boolean
  canRedo: boolean
}

export interface WorkspaceActions {
  /** `files` of this moment. A page that was drawn before the last edit must not build its edit on the texts that it shows. */
  newest(): Readonly<Record<string, string>>
  /** Another text for a file, also for a new one. `together` joins edits to one step of undo (typing in one field). */
  edit(path: string, text: string, together?: string): void
  /** Several files as one step of undo; null takes a file out. */
  editAll(texts: Readonly<Record<string, string | null>>, together?: string): void
  /** Takes a file out of the set. */
  drop(path: string): void
  /** Back to the base's text; the draft no longer changes it. */
  revert(path: string): void
  undo(): void
  redo(): void
  /** Sends what is not saved. Resolves when the server has everything, false when it has not. */
  flush(): Promise<boolean>
  /** Decides a conflict; what was not taken is kept in undo. */
  resolve(path: string, choice: 'mine' | 'theirs'): void
  /** Reads draft and files again; unsaved edits stay. */
  refresh(): Promise<void>
}
export type Workspace = WorkspaceView & WorkspaceActions
