import { existsSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { appAreas, areaOfFile } from '#config-server/back-office.ts'
import { readCatalog } from '#config-server/catalog.ts'
import { readFiles } from '#config-server/files.ts'
import type { Catalog, SourceFile } from '#language/types/catalog.ts'

/** Sets of documents that bring their own calls, such as docs/examples. Widgets, functions and symbols are those of the project. */

const callsFile = 'contract/manifest.json'
const topicsFile = 'contract/topics.json'

/** Whether a folder other than the project itself has calls of its own. */
export const hasOwnContract = (root: string, folder: string): boolean =>
  resolve(folder) !== resolve(root) && existsSync(join(folder, callsFile))

/** What the documents of such a folder may name. */
export async function ownContractCatalog(root: string, folder: string): Promise<Catalog> {
  const below = (file: string) => relative(root, join(folder, file)).split(sep).join('/')
  const topics = existsSync(join(folder, topicsFile)) && { topics: below(topicsFile) }
  return { ...(await readCatalog(root, { calls: below(callsFile), ...topics })), ownContract: true }
}

/**
 * The files of such a folder, with the words of the project that the engine and its widgets say, in the languages of the folder.
 * `pathOf` gives the path below the folder, and undefined for words of the project, which are checked there.
 */
export async function ownContractFiles(
  root: string,
  folder: string,
): Promise<{ files: SourceFile[]; pathOf: (file: string) => string | undefined }> {
  const [own, app] = await Promise.all([readFiles(folder), readFiles(root)])
  const paths = new Set(own.map(({ file }) => file))
  const languages = new Set(own.map((file) => areaOfFile(file)?.language))
  const words = app.filter((file) => {
    const area = areaOfFile(file)
    return area !== undefined && languages.has(area.language) && appAreas.includes(area.area) && !paths.has(file.file)
  })
  return { files: [...own, ...words], pathOf: (file) => (paths.has(file) ? file : undefined) }
}
