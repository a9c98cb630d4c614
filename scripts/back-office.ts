import { join } from 'node:path'
import type { Plugin } from 'vite'
import { areaOfFile, backOfficeCatalog, backOfficeFiles } from '#config-server/back-office.ts'
import { showProblem } from '#config-server/check.ts'
import { sourcesOf } from '#config-server/files.ts'
import { backOfficeSet, type CheckedBackOffice } from '#console/back-office/set.ts'

/** Build of the back office: documents in console/schemas, texts of console/locales/<language>/office.json. */

const folder = 'console/schemas'

/** The checked documents of the back office. @param root folder of the project */
export async function readBackOffice(root: string): Promise<CheckedBackOffice> {
  const sources = sourcesOf(await backOfficeFiles(root))
  const office = backOfficeSet(sources.files, sources.texts, await backOfficeCatalog(root))
  return { ...office, problems: [...sources.problems, ...office.problems] }
}

/** Texts of the back office: language → area → tree. */
async function backOfficeWords(root: string): Promise<Map<string, Record<string, unknown>>> {
  const words = new Map<string, Record<string, unknown>>()
  for (const file of await backOfficeFiles(root)) {
    const place = areaOfFile(file)
    if (place) words.set(place.language, { ...words.get(place.language), [place.area]: JSON.parse(file.text) })
  }
  return words
}

const setId = 'virtual:back-office-set'
const wordsId = 'virtual:back-office-words'

/** Inserts the documents of the back office into its page. The build fails on a mistake in them and reports its place. */
export function backOfficeDocuments(root: string): Plugin {
  return {
    name: 'back-office-documents',
    resolveId: (id) => (id === setId || id.startsWith(wordsId) ? `\0${id}` : undefined),
    async load(id) {
      if (id === `\0${setId}`) {
        const { set, problems } = await readBackOffice(root)
        for (const { file } of await backOfficeFiles(root))
          if (file.startsWith('schemas/')) this.addWatchFile(join(root, folder, '..', file))
        const errors = problems.filter(({ severity }) => severity === 'error')
        if (errors.length > 0) throw new Error(`the documents of the back office have mistakes:\n${errors.map(showProblem).join('\n')}`)
        return `export default JSON.parse(${JSON.stringify(JSON.stringify(set))})`
      }
      if (!id.startsWith(`\0${wordsId}`)) return undefined
      const words = await backOfficeWords(root)
      const [, language] = id.split('/')
      if (language !== undefined) return `export default JSON.parse(${JSON.stringify(JSON.stringify(words.get(language) ?? {}))})`
      const lines = [...words.keys()].map((name) => `${JSON.stringify(name)}: () => import(${JSON.stringify(`${wordsId}/${name}`)})`)
      return `export default { ${lines.join(', ')} }`
    },
  }
}
