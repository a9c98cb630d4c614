import { parse } from '#language/documents/parse.ts'
import { prepare } from '#language/documents/prepare.ts'
import { lint } from '#language/lint/run.ts'
import type { Catalog, LintProblem, PreparedDocument, SourceFile, TextCatalog } from '#language/types/catalog.ts'

/** The documents of the back office, checked and prepared for the build and for its test. */

/** Used by the page in place of a release. */
interface BackOfficeSet {
  documents: Record<string, Pick<PreparedDocument, 'doc'> & { uses: readonly string[]; areas: readonly string[] }>
}
export interface CheckedBackOffice {
  set: BackOfficeSet
  /** Errors and warnings of the back office's files. */
  problems: LintProblem[]
}

/**
 * @param files documents below console/schemas
 * @param texts texts of the back office, and those areas of the app that its widgets and the engine use
 * @param catalog with the calls of the back office alone
 */
export function backOfficeSet(files: readonly SourceFile[], texts: TextCatalog, catalog: Catalog): CheckedBackOffice {
  const { documents, problems } = parse(files)
  const found = [...problems, ...lint(documents, texts, catalog)]
  return {
    set: {
      documents: Object.fromEntries(
        prepare(documents, catalog).map(({ key, doc, computed: { uses, areas } }) => [key, { doc, uses, areas }]),
      ),
    },
    problems: found,
  }
}
