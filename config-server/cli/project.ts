import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { backOfficeCatalog, backOfficeFiles, backOfficeFolder, backOfficePath } from '#config-server/back-office.ts'
import { readCatalog } from '#config-server/catalog.ts'
import type { Call, Project } from '#config-server/cli/command.ts'
import { remote } from '#config-server/cli/remote.ts'
import { readFiles, sourcesOf } from '#config-server/files.ts'
import type { LintProblem, SourceFile } from '#language/catalog.ts'
import { lintParsed } from '#language/lint/run.ts'
import { withTextLines } from '#language/lint/text-lines.ts'
import { parse } from '#language/parse.ts'
import type { FileSet, ReleaseInfo } from '#language/publishing.ts'

/** How a set is named on the command line, for the help of commands that take one. */
export const setHelp = `A set is a folder (with schemas/ and locales/ in it), or, with --server URL: live, release:7, draft:3. Without one: this project's files.`

/**
 * Files of a set: of a folder, of the live release, of a release or of a draft.
 * @throws Error for a name that is none; RemoteProblem for what the server refuses
 */
export async function filesOf(set: string, { root, options }: Pick<Call, 'root' | 'options'>): Promise<Record<string, string>> {
  const kept = /^(live|release:(\d+)|draft:(\d+))$/.exec(set)
  if (!kept) {
    const folder = resolve(root, set)
    if (!(await stat(folder).catch(() => undefined))?.isDirectory())
      throw new Error(`"${set}" is no folder, and none of live, release:<number> and draft:<number>`)
    return byPath(readFiles(folder))
  }
  const server = options.get('server')
  if (server === undefined) throw new Error(`${set} is kept by a server: --server URL`)
  const { get } = remote(server)
  const [, , release, draft] = kept
  if (draft !== undefined) return (await get<FileSet>(`/files?draft=${draft}`)).files
  const number = release ?? (await get<ReleaseInfo[]>('/releases')).find(({ state }) => state === 'live')?.number
  if (number === undefined) throw new Error('no release is live')
  return (await get<FileSet>(`/files?release=${number}`)).files
}

const byPath = async (files: Promise<readonly SourceFile[]>) => Object.fromEntries((await files).map(({ file, text }) => [file, text]))

/** A set, read and parsed. Without a name: the project's own files. Widgets and calls are always those of this project. */
export async function openProject(call: Pick<Call, 'root' | 'options'>, set?: string): Promise<Project> {
  // The back office has calls of its own, and takes some words from the app.
  const isBackOffice = set !== undefined && resolve(call.root, set) === resolve(call.root, backOfficeFolder)
  const [files, catalog] = isBackOffice
    ? await Promise.all([byPath(backOfficeFiles(call.root)), backOfficeCatalog(call.root)])
    : await Promise.all([filesOf(set ?? call.root, call), readCatalog(call.root)])
  const sources = sourcesOf(Object.entries(files).map(([file, text]) => ({ file, text })))
  const parsed = parse(sources.files)
  const { documents, problems } = parsed
  return {
    name: set ?? 'files',
    files,
    documents,
    texts: sources.texts,
    catalog,
    problems: [...sources.problems, ...problems],
    partial: parsed.partial,
    pathOf: isBackOffice ? backOfficePath : (file) => file,
  }
}

/** Everything that is wrong with a set. */
export function problemsOf({ documents, files, texts, catalog, problems, partial, pathOf }: Project): LintProblem[] {
  const found = withTextLines(lintParsed({ documents, problems, partial }, texts, catalog), (file) => files[file])
  return [...problems, ...found].flatMap((problem) => {
    const file = pathOf(problem.file)
    return file === undefined ? [] : [{ ...problem, file }]
  })
}
