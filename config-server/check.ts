import { createShapeCheck, type ShapeCheck, withShapes } from '#config-server/shapes/shape-check.ts'
import type { AnyDoc, Json } from '#language/documents/documents.ts'
import { parse } from '#language/documents/parse.ts'
import { prepare } from '#language/documents/prepare.ts'
import { lintParsed } from '#language/lint/run.ts'
import { openPlanned } from '#language/publish/open-planned.ts'
import type { DocumentKey } from '#language/publish/release.ts'
import type { Catalog, LintProblem, PreparedDocument, SourceDocument, SourceFile, TextCatalog } from '#language/types/catalog.ts'

/** A set of documents that was looked at. `problems` are those that forbid publishing; when there are any, nothing is prepared. */
export interface Checked {
  documents: SourceDocument[]
  prepared: PreparedDocument[]
  problems: LintProblem[]
  /** Findings that an operator should look at and may publish. */
  warnings?: LintProblem[]
}
/** @param developing pages that live on planned calls are open, and forbid nothing */
export type CheckSources = (files: readonly SourceFile[], texts: TextCatalog, developing?: boolean) => Checked

/** One document as it would be in the set, prepared without any check; undefined where that cannot be done. */
export type Preparer = (set: Checked, key: DocumentKey, doc: Json) => PreparedDocument | undefined

/** `schemas/screens/a.json:12 /body/0/widget there is no widget "tetx"; did you mean "text"?` */
export function showProblem({ file, line, column, pointer, message, suggestion }: LintProblem): string {
  return `${file}:${line}${column === undefined ? '' : `:${column}`} ${pointer || '/'} ${message}${suggestion === undefined ? '' : `; did you mean ${JSON.stringify(suggestion)}?`}`
}

/** Holds each document first against the schemas of editors, then parses and lints the set. */
export function createCheck(catalog: Catalog, shapes: ShapeCheck = createShapeCheck(catalog)): CheckSources {
  return (files, texts, developing = false) => {
    const forbids = ({ check, severity }: LintProblem) => severity === 'error' && !(developing && check === 'planned')
    const judged = shapes.problems(files)
    const parsed = parse(files)
    const { documents } = parsed
    const found = withShapes(judged, [...parsed.problems, ...lintParsed(parsed, texts, catalog)])
    const problems = found.filter(forbids)
    const prepared = problems.length ? [] : prepare(documents, catalog)
    return {
      documents,
      problems,
      warnings: found.filter((one) => !forbids(one)),
      prepared: developing ? openPlanned(prepared, catalog) : prepared,
    }
  }
}

/** Problems of the shape of one file, as a save reports them: those of the schema and of the parser. */
export type CheckShape = (file: SourceFile) => LintProblem[]

export const createFileCheck =
  (shapes: ShapeCheck): CheckShape =>
  (file) => {
    const judged = shapes.problems([file])
    return withShapes(judged, parse([file]).problems)
  }

export function createPreparer(catalog: Catalog): Preparer {
  return (set, key, doc) => {
    const one: SourceDocument = { file: 'test', text: '', key, doc: doc as unknown as AnyDoc }
    try {
      return prepare([...set.documents.filter((other) => other.key !== key), one], catalog).find((prepared) => prepared.key === key)
    } catch {
      return undefined
    }
  }
}
