import { below, lineOf, lineOfSyntax, outline } from '#language/text/position.ts'
import type { LintProblem, SourceFile, TextCatalog } from '#language/types/catalog.ts'

/** Words as they stand in the files: language → area → tree. This is what the app takes as an area. */
export type WordTrees = Record<string, Record<string, Record<string, unknown>>>

/** Text files as a whole, read. `texts` are flat (`{"a.b": "text"}`), `trees` as written. */
export interface Words {
  texts: TextCatalog
  trees: WordTrees
  problems: LintProblem[]
}

/** `locales/en/fund.json` → ['en', 'fund']; undefined for what is no text file. */
export function areaOf(path: string): readonly [language: string, area: string] | undefined {
  const [, language, area] = /^locales\/([^/]+)\/([^/]+)\.json$/.exec(path) ?? []
  return language !== undefined && area !== undefined ? [language, area] : undefined
}

/** Documents of a set: what stands below schemas/ and is no meta schema, sorted by path. */
export function documentFiles(files: Readonly<Record<string, string>>): SourceFile[] {
  return Object.keys(files)
    .filter((path) => path.startsWith('schemas/') && path.endsWith('.json') && !path.startsWith('schemas/meta/'))
    .sort()
    .map((file) => ({ file, text: files[file]! }))
}

/** One text file, read. @returns what could be read, and problems with their places */
export function readWords(
  file: string,
  text: string,
): { tree: Record<string, unknown>; flat: Record<string, string>; problems: LintProblem[] } {
  const problems: LintProblem[] = []
  const problem = (pointer: string, line: number, message: string) =>
    void problems.push({ check: 'texts', severity: 'error', file, line, pointer, message })
  const { lines, problem: syntax } = outline(text)
  if (syntax) problem(syntax.pointer, syntax.line, syntax.message)
  let tree: unknown
  try {
    tree = JSON.parse(text)
  } catch (error) {
    const { message } = error as Error
    if (!syntax) problem('', lineOfSyntax(text, message), `not JSON: ${message}`)
    return { tree: {}, flat: {}, problems }
  }
  if (tree === null || typeof tree !== 'object' || Array.isArray(tree)) {
    problem('', 1, 'must be an object of texts by key')
    return { tree: {}, flat: {}, problems }
  }
  const flat: Record<string, string> = {}
  const walk = (node: object, path: string, pointer: string) => {
    for (const [key, value] of Object.entries(node)) {
      const here = path ? `${path}.${key}` : key
      const place = below(pointer, key)
      if (typeof value === 'string') flat[here] = value
      else if (value !== null && typeof value === 'object' && !Array.isArray(value)) walk(value, here, place)
      else problem(place, lineOf(lines, place), 'must be a text or an object of texts')
    }
  }
  walk(tree, '', '')
  return { tree: tree as Record<string, unknown>, flat, problems }
}

/** Puts a change into a set of words. Areas that did not change are the same objects. */
export function withWords(before: Readonly<WordTrees>, change: Readonly<Record<string, Record<string, unknown> | null>>): WordTrees {
  const after: WordTrees = { ...before }
  for (const [name, tree] of Object.entries(change)) {
    const [language = '', area = ''] = name.split('/')
    const { [area]: _, ...others } = after[language] ?? {}
    after[language] = tree === null ? others : { ...after[language], [area]: tree }
  }
  return after
}
