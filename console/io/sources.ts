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
