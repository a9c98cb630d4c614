import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { backOfficeCatalog, backOfficeFiles, backOfficeFolder, backOfficePath } from '#config-server/back-office.ts'
import { readCatalog } from '#config-server/catalog.ts'
import type { Call, Project } from '#config-server/cli/command.ts'
import { remote } from '#config-server/cli/remote.ts'
import { readFiles, sourcesOf } from '#config-server/files.ts'
import { hasOwnContract, ownContractCatalog, ownContractFiles } from '#config-server/own-contract.ts'
import { createShapeCheck, withShapes } from '#config-server/shapes/shape-check.ts'
import { parse } from '#language/documents/parse.ts'
import { lintParsed } from '#language/lint/run.ts'
import { withTextLines } from '#language/lint/texts.ts'
import type { LintProblem, SourceFile } from '#language/types/catalog.ts'

/** How a set is named on the command line, for the help of commands that take one. */
export const setHelp = `A set is a folder (with schemas/ and locales/ in it), or, with --server URL: live, release:7, draft:3. Without one: this project's files.
A folder with contract/manifest.json (and contract/topics.json) is checked against its own calls and topics.`

/**
 * Files of a set: of a folder, of the live release, of a release or of a draft.
 * @throws Error for a name that is none; ConsoleError for what the server refuses
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
  const { call } = remote(server)
  const [, , release, draft] = kept
  if (draft !== undefined) return (await call('files', { draft: Number(draft) })).files
  const number = release ?? (await call('releases.list', {})).find(({ state }) => state === 'live')?.number
  if (number === undefined) throw new Error('no release is live')
  return (await call('files', { release: Number(number) })).files
}

const byPath = async (files: readonly SourceFile[] | Promise<readonly SourceFile[]>) =>
  Object.fromEntries((await files).map(({ file, text }) => [file, text]))

/** Returns the contents of a set, and the places of its files in the project. */
async function contentsOf(call: Pick<Call, 'root' | 'options'>, set: string) {
  const { root } = call
  const folder = resolve(root, set)
  if (folder === resolve(root, backOfficeFolder)) {
    const [files, catalog] = await Promise.all([byPath(backOfficeFiles(root)), backOfficeCatalog(root)])
    return { files, catalog, pathOf: backOfficePath }
  }
  if (hasOwnContract(root, folder)) {
    const [{ files, pathOf }, catalog] = await Promise.all([ownContractFiles(root, folder), ownContractCatalog(root, folder)])
    return { files: await byPath(files), catalog, pathOf }
  }
  const [files, catalog] = await Promise.all([filesOf(set, call), readCatalog(root)])
  return { files, catalog, pathOf: (file: string): string | undefined => file }
}

/**
 * A set, read and parsed. Without a name: the project's own files. Widgets and functions are always those of this project; calls and topics are
 * those of the set where it brings its own.
 */
export async function openProject(call: Pick<Call, 'root' | 'options'>, set?: string): Promise<Project> {
  const { files, catalog, pathOf } = await contentsOf(call, set ?? call.root)
  const sources = sourcesOf(Object.entries(files).map(([file, text]) => ({ file, text })))
  const parsed = parse(sources.files)
  const { documents, problems } = parsed
  return {
    name: set ?? 'files',
    files,
    sources: sources.files,
    documents,
    texts: sources.texts,
    catalog,
    problems: [...sources.problems, ...problems],
    partial: parsed.partial,
    pathOf,
  }
}

/** Everything that is wrong with a set. */
export function problemsOf({ documents, files, sources, texts, catalog, problems, partial, pathOf }: Project): LintProblem[] {
  const judged = createShapeCheck(catalog).problems(sources)
  const found = withTextLines(lintParsed({ documents, problems, partial }, texts, catalog), (file) => files[file])
  return withShapes(judged, [...problems, ...found]).flatMap((problem) => {
    const file = pathOf(problem.file)
    return file === undefined ? [] : [{ ...problem, file }]
  })
}
