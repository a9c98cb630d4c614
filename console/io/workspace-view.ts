import type { WorkspaceView } from '#console/io/workspace-types.ts'
import type { DraftFile, FileSet } from '#language/publish/publishing.ts'
import type { SourceDocument } from '#language/types/catalog.ts'

export const emptyView: WorkspaceView = {
  status: 'none',
  error: null,
  draft: null,
  release: null,
  editable: false,
  base: {},
  files: {},
  changed: [],
  saved: {},
  catalog: null,
  builds: [],
  canRunFlows: false,
  problems: [],
  prepared: null,
  editedAt: undefined,
  checking: false,
  unread: [],
  sources: null,
  broken: {},
  checkMs: null,
  save: { state: 'saved', pending: [], error: null, savedAt: null },
  conflicts: [],
  joined: null,
  canUndo: false,
  canRedo: false,
}

/** The documents by file after a change; null takes one out. The others stay the same objects. */
export function withSources(
  before: readonly SourceDocument[] | null,
  change: Readonly<Record<string, SourceDocument | null>>,
): readonly SourceDocument[] {
  if (before && Object.keys(change).length === 0) return before
  const kept = (before ?? []).filter(({ file }) => !Object.hasOwn(change, file))
  const changed = Object.values(change).filter((one) => one !== null)
  return [...kept, ...changed].sort((a, b) => (a.file < b.file ? -1 : 1))
}

/** Puts a text in place; null takes the file out. */
export function lay(files: Record<string, string>, path: string, text: string | null): void {
  if (text === null) delete files[path]
  else files[path] = text
}

/**
 * The files of an answer, but what was saved here after the question was sent stays: the answer may be of the time before.
 * @param later whether a file was saved since
 */
export function withOwnSaves(
  answer: Pick<FileSet, 'files' | 'changed'>,
  shown: Pick<WorkspaceView, 'files' | 'saved'>,
  later: (path: string) => boolean,
): { files: Record<string, string>; saved: Record<string, DraftFile> } {
  const files = { ...answer.files }
  const saved: Record<string, DraftFile> = {}
  for (const [path, file] of Object.entries(answer.changed)) {
    if (later(path)) continue
    saved[path] = file
    lay(files, path, file.text)
  }
  for (const path of new Set([...Object.keys(files), ...Object.keys(shown.files), ...Object.keys(shown.saved)])) {
    if (!later(path)) continue
    if (shown.saved[path]) saved[path] = shown.saved[path]
    lay(files, path, shown.files[path] ?? null)
  }
  return { files, saved }
}

/** Paths whose texts differ, sorted. */
export function differing(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((path) => a[path] !== b[path]).sort()
}
