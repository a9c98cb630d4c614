import { join } from 'node:path'
import { readCatalog } from '#config-server/catalog.ts'
import { readFiles } from '#config-server/files.ts'
import type { Catalog, SourceFile } from '#language/types/catalog.ts'

/** The documents of the back office: below console/schemas, with the words of console/locales/<language>/office.json. */

/** Folder of the console, below the project. */
export const backOfficeFolder = 'console'
/** Areas of the app that the back office shows too: those of the engine and its widgets, and the kinds of events in a statement. */
export const appAreas = ['engine', 'event', 'form', 'problem', 'widget']
const ownArea = 'office'

/** Language and area of a text file; undefined for a document. */
export function areaOfFile({ file }: Pick<SourceFile, 'file'>): { language: string; area: string } | undefined {
  const [room, language = '', name = ''] = file.split('/')
  return room === 'locales' ? { language, area: name.replace(/\.json$/, '') } : undefined
}

/**
 * The files as the language takes them: `schemas/…` and `locales/…`.
 * @param root folder of the project
 */
export async function backOfficeFiles(root: string): Promise<SourceFile[]> {
  const [own, app] = await Promise.all([readFiles(join(root, backOfficeFolder)), readFiles(root)])
  const wanted = (names: readonly string[]) => (file: SourceFile) => names.includes(areaOfFile(file)?.area ?? '')
  return [...own.filter((file) => file.file.startsWith('schemas/') || wanted([ownArea])(file)), ...app.filter(wanted(appAreas))]
}

/** Path below the project of a file that `backOfficeFiles` gave; undefined for words of the app, which are checked with the app. */
export function backOfficePath(file: string): string | undefined {
  const area = areaOfFile({ file })?.area
  return area === undefined || area === ownArea ? `${backOfficeFolder}/${file}` : undefined
}

/** Returns the catalog of the back office: every widget and function of the build, and the calls of the back office alone. */
export const backOfficeCatalog = (root: string): Promise<Catalog> => readCatalog(root, { calls: 'contract/office.manifest.json' })
