import { parse } from '#language/documents/parse.ts'
import { lint } from '#language/lint/run.ts'
import { catalog } from '#language/testdata/catalog.ts'
import { documents, filesOf, texts } from '#language/testdata/project.ts'
import type { LintProblem, SourceFile, TextCatalog } from '#language/types/catalog.ts'

/** A value put at a JSON pointer of a document; undefined takes it away. */
export type Change = [file: keyof ReturnType<typeof documents>, pointer: string, value: unknown]

/** One change, what must be said of it and by which check, and the nearest right name. */
export type Mistake = [check: string, name: string, change: Change, said: RegExp, suggestion?: string, severity?: 'warn']

function set(root: unknown, pointer: string, value: unknown): void {
  const names = pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  let at = root as Record<string, unknown>
  for (const name of names.slice(0, -1)) at = at[name] as Record<string, unknown>
  const last = names.at(-1) as string
  if (value === undefined) delete at[last]
  else at[last] = value
}

/** Files of the small product after some changes. */
export function filesWith(changes: readonly Change[]): SourceFile[] {
  const docs = documents()
  for (const [file, pointer, value] of changes) set(docs[file], pointer, value)
  return filesOf(docs)
}

/** Problems of the small product after some changes. */
export function lintWith(changes: readonly Change[], words: TextCatalog = texts()): LintProblem[] {
  return lintFiles(filesWith(changes), words)
}

export function lintFiles(files: readonly SourceFile[], words: TextCatalog = texts()): LintProblem[] {
  const parsed = parse(files)
  return [...parsed.problems, ...lint(parsed.documents, words, catalog)]
}
