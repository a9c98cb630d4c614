import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { showProblem } from '#config-server/check.ts'
import { readFiles, sourcesOf } from '#config-server/files.ts'
import { type CheckedDesk, deskSet } from '#console/desk/set.ts'
import type { CallManifest, Catalog, FunctionManifest, SourceFile, WidgetManifest } from '#language/catalog.ts'

/** The operators' desk as it is built: documents below console/schemas, words of console/locales/<language>/desk.json. */

/** Areas of the app that the engine and its widgets say. */
const appAreas = ['engine', 'form', 'problem', 'widget']
const deskArea = 'desk'
const folder = 'console/schemas'

const readJson = <T>(root: string, file: string) => JSON.parse(readFileSync(join(root, file), 'utf8')) as T

function areaOf({ file }: SourceFile): { language: string; area: string } | undefined {
  const [room, language = '', name = ''] = file.split('/')
  return room === 'locales' ? { language, area: name.replace(/\.json$/, '') } : undefined
}

/** The files of the desk as the language takes them: `schemas/…` and `locales/…`. @param root folder of the project */
async function deskFiles(root: string): Promise<SourceFile[]> {
  const [own, app] = await Promise.all([readFiles(join(root, 'console')), readFiles(root)])
  const wanted = (names: readonly string[]) => (file: SourceFile) => names.includes(areaOf(file)?.area ?? '')
  return [...own.filter((file) => file.file.startsWith('schemas/') || wanted([deskArea])(file)), ...app.filter(wanted(appAreas))]
}

/** What the desk's documents may name: every widget of the build, every function, and the calls of the desk alone. */
export function deskCatalog(root: string): Catalog {
  const { widgets, icons } = readJson<{ widgets: WidgetManifest[]; icons: string[] }>(root, 'widgets/manifest.json')
  const functions = readJson<FunctionManifest[]>(root, 'contract/functions/manifest.json')
  return { widgets, icons, calls: readJson<CallManifest[]>(root, 'contract/desk.manifest.json'), functions }
}

/** The desk, checked and made ready. @param root folder of the project */
export async function readDesk(root: string): Promise<CheckedDesk> {
  const sources = sourcesOf(await deskFiles(root))
  const desk = deskSet(sources.files, sources.texts, deskCatalog(root))
  return { ...desk, problems: [...sources.problems, ...desk.problems] }
}

/** Words of the desk: language → area → tree. */
async function deskWords(root: string): Promise<Map<string, Record<string, unknown>>> {
  const words = new Map<string, Record<string, unknown>>()
  for (const file of await deskFiles(root)) {
    const place = areaOf(file)
    if (place) words.set(place.language, { ...words.get(place.language), [place.area]: JSON.parse(file.text) })
  }
  return words
}

const setId = 'virtual:desk-set'
const wordsId = 'virtual:desk-words'

/** Puts the desk's documents into its page. A build with a mistake in them fails, and says where. */
export function deskDocuments(root: string): Plugin {
  return {
    name: 'desk-documents',
    resolveId: (id) => (id === setId || id.startsWith(wordsId) ? `\0${id}` : undefined),
    async load(id) {
      if (id === `\0${setId}`) {
        const { set, problems } = await readDesk(root)
        for (const { file } of await deskFiles(root)) if (file.startsWith('schemas/')) this.addWatchFile(join(root, folder, '..', file))
        const errors = problems.filter(({ severity }) => severity === 'error')
        if (errors.length > 0) throw new Error(`the desk cannot be shown:\n${errors.map(showProblem).join('\n')}`)
        return `export default JSON.parse(${JSON.stringify(JSON.stringify(set))})`
      }
      if (!id.startsWith(`\0${wordsId}`)) return undefined
      const words = await deskWords(root)
      const [, language] = id.split('/')
      if (language !== undefined) return `export default JSON.parse(${JSON.stringify(JSON.stringify(words.get(language) ?? {}))})`
      const lines = [...words.keys()].map((name) => `${JSON.stringify(name)}: () => import(${JSON.stringify(`${wordsId}/${name}`)})`)
      return `export default { ${lines.join(', ')} }`
    },
  }
}
