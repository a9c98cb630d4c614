import { readdir, readFile } from 'node:fs/promises'
import { basename, join, relative, sep } from 'node:path'
import { inherited } from '#language/text/position.ts'
import { readWords } from '#language/text/text-file.ts'
import type { LintProblem, SourceFile, TextCatalog } from '#language/types/catalog.ts'

/** The product as its operators write it. `problems` name the text files that could not be read. */
export interface Sources {
  /** Documents below schemas/, sorted by path. */
  files: SourceFile[]
  texts: TextCatalog
  problems: LintProblem[]
}

/** Folders of schemas/ that hold no documents. */
const notDocuments = ['schemas/meta/']
const isDocument = ({ file }: { file: string }) => file.startsWith('schemas/') && !notDocuments.some((folder) => file.startsWith(folder))

/** Paths below `root` with slashes, sorted; empty when the folder is not there. */
async function jsonFiles(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
}

/**
 * Languages that the app document names, and those that have words, each with its BCP 47 tag.
 * @param files path → text of a whole set
 */
export function languagesOf(files: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const tags = new Map<string, string>()
  const isText = (value: unknown) => typeof value === 'string'
  try {
    const app = JSON.parse(files['schemas/app.json'] ?? '{}') as { languages?: { id?: unknown; tag?: unknown }[] } | null
    for (const { id, tag } of app?.languages ?? []) if (isText(id)) tags.set(id, isText(tag) ? tag : id)
  } catch {
    // Reported by the code that checks the document.
  }
  for (const file of Object.keys(files)) {
    const [room, language] = file.split('/')
    if (room === 'locales' && language !== undefined && !tags.has(language)) tags.set(language, language)
  }
  return tags
}

/** Documents and words of a whole set of files; what is neither is left out. The order of documents is that of their paths. */
export function sourcesOf(all: readonly SourceFile[]): Sources {
  const problems: LintProblem[] = []
  const texts: TextCatalog = {}
  const sorted = [...all].sort((left, right) => (left.file < right.file ? -1 : 1))
  for (const { file, text } of sorted) {
    const [room, language = '', ...rest] = file.split('/')
    if (room !== 'locales' || rest.length !== 1) continue
    const area = basename(file, '.json')
    const name = [language, area].find((one) => inherited.has(one))
    if (name !== undefined) {
      problems.push({
        check: 'texts',
        severity: 'error',
        file,
        line: 1,
        pointer: '',
        message: `"${name}" may not be a name of a file or folder`,
      })
      continue
    }
    texts[language] ??= {}
    const words = readWords(file, text)
    texts[language][area] = words.flat
    problems.push(...words.problems)
  }
  return {
    files: sorted.filter(({ file }) => file.startsWith('schemas/') && !notDocuments.some((folder) => file.startsWith(folder))),
    texts,
    problems,
  }
}

/**
 * Every file that operators may write, as text: schemas/**.json (except meta) and locales/<language>/<area>.json, sorted by path.
 * @param root folder of the project
 * @param read reads the text of a file
 */
export async function readFiles(root: string, read = (path: string) => readFile(path, 'utf8')): Promise<SourceFile[]> {
  const [documents, words] = await Promise.all([jsonFiles(root, 'schemas'), jsonFiles(root, 'locales')])
  const paths = [...documents.filter((file) => isDocument({ file })), ...words.filter((file) => file.split('/').length === 3)]
  const textOf = async (file: string): Promise<SourceFile[]> => {
    try {
      return [{ file, text: (await read(join(root, file))).replace(/^\uFEFF/, '') }]
    } catch (error) {
      // Deleted since it was listed.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw error
    }
  }
  return (await Promise.all(paths.map(textOf))).flat()
}

/** As `sourcesOf`, of the files below `root`. */
export const readSources = async (root: string): Promise<Sources> => sourcesOf(await readFiles(root))
