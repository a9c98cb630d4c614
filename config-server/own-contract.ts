import { existsSync } from 'node:fs'
import { basename, join, relative, resolve, sep } from 'node:path'
import { appAreas, areaOfFile } from '#config-server/back-office.ts'
import { readCatalog } from '#config-server/catalog.ts'
import { readFiles } from '#config-server/files.ts'
import type { Catalog, SourceFile } from '#language/types/catalog.ts'

/**
 * Sets of documents that bring their own calls. Those with a manifest, such as docs/examples, have the widgets, functions and symbols of the
 * project. Apps, which have an api.ts, are judged by the manifests of their last build.
 */

const callsFile = 'contract/manifest.json'
const topicsFile = 'contract/topics.json'
const themeFile = 'schemas/theme.json'

const isApp = (folder: string) => existsSync(join(folder, 'api.ts'))
/** Where an app is built, with its manifests. */
export const builtOf = (root: string, folder: string): string => join(root, 'dist', relative(root, folder))

/** Folder of the pages in which a set is tested: an app's own build, otherwise the project's. @param set folder or another name of a set */
export function pagesOf(root: string, set: string | undefined): { folder: string; command: string } {
  const folder = resolve(root, set ?? '')
  return isApp(folder)
    ? { folder: join(builtOf(root, folder), 'dist/app'), command: `npm run example -- ${basename(folder)}` }
    : { folder: join(root, 'dist/app'), command: 'npm run build' }
}

/** Whether a folder other than the project itself has calls of its own. */
export const hasOwnContract = (root: string, folder: string): boolean =>
  resolve(folder) !== resolve(root) && (isApp(folder) || existsSync(join(folder, callsFile)))

/** Returns the names that the documents of such a folder may use. @throws Error for an app that was never built */
export async function ownContractCatalog(root: string, folder: string): Promise<Catalog> {
  if (isApp(folder)) {
    const built = builtOf(root, folder)
    if (!existsSync(join(built, callsFile)))
      throw new Error(`${relative(root, folder)} has no build: npm run example -- ${basename(folder)} makes one`)
    return { ...(await readCatalog(built)), ownContract: true }
  }
  const below = (file: string) => relative(root, join(folder, file)).split(sep).join('/')
  const topics = existsSync(join(folder, topicsFile)) && { topics: below(topicsFile) }
  return { ...(await readCatalog(root, { calls: below(callsFile), ...topics })), ownContract: true }
}

type Palette = Record<string, string>

/**
 * A palette of an app, completed by the project's. Colours that go with others follow those of the app: the tab bar, unless the app names its
 * colours, takes ground, quiet and accent (TabBar.module.css); a soft colour is the app's colour with the opacity of the project's soft one.
 */
function wholePalette(own: Palette, project: Palette): Palette {
  const taken = Object.entries(project).flatMap(([name, colour]) => {
    if (name.startsWith('tabbar-')) return []
    const strong = name.endsWith('-soft') ? own[name.slice(0, -'-soft'.length)] : undefined
    return [[name, typeof strong === 'string' ? `${strong.slice(0, 7)}${colour.slice(7)}` : colour]]
  })
  return { ...Object.fromEntries(taken), ...own }
}

/** A theme that says what differs from the project's: colours, space and sizes that it leaves out are those of the project, coins are not. */
function wholeTheme(own: SourceFile | undefined, project: SourceFile | undefined): SourceFile[] {
  if (!project) return own ? [own] : []
  const base = JSON.parse(project.text) as Record<string, unknown>
  let given: Record<string, unknown>
  try {
    given = own ? JSON.parse(own.text) : {}
  } catch {
    // A theme that cannot be read is reported when it is parsed.
    return own ? [own] : []
  }
  const isGroup = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
  const palettes = ['dark', 'light'].map((name) => [name, given[name] ?? {}, base[name]] as const)
  // Colours of an app in one palette only belong to both: a tab bar must not look like the project's in the other one.
  if (palettes.some(([name, own]) => name in given && isGroup(own)))
    for (const [name, own, project] of palettes)
      if (isGroup(own) && isGroup(project)) given[name] = wholePalette(own as Palette, project as Palette)
  const merged: Record<string, unknown> = { ...base, coins: {}, ...given }
  for (const [name, value] of Object.entries(given))
    if (!['coins', 'dark', 'light'].includes(name) && isGroup(value) && isGroup(base[name]))
      merged[name] = { ...(base[name] as object), ...(value as object) }
  return [{ file: themeFile, text: `${JSON.stringify(merged, null, 2)}\n` }]
}

/**
 * The files of such a folder, with the words of the project that the engine and its widgets say, in the languages of the folder, and with the
 * project's theme where an app says nothing of it.
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
  if (!isApp(folder)) return { files: [...own, ...words], pathOf: (file) => (paths.has(file) ? file : undefined) }
  const [theme, others] = [own.find(({ file }) => file === themeFile), own.filter(({ file }) => file !== themeFile)]
  const files = [
    ...others,
    ...wholeTheme(
      theme,
      app.find(({ file }) => file === themeFile),
    ),
    ...words,
  ]
  return { files, pathOf: (file) => (paths.has(file) ? file : undefined) }
}
