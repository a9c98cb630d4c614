import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { editorSchemas } from '#config-server/shapes/editor-schemas.ts'
import { findingOf } from '#config-server/shapes/finding.ts'
import { type Kind, kinds } from '#language/documents/documents.ts'
import { metaSchemas } from '#language/documents/meta.ts'
import { lineOf, outline } from '#language/text/position.ts'
import type { Catalog, LintProblem, SourceFile } from '#language/types/catalog.ts'

/**
 * Judges documents by the JSON Schemas that editors read (schemas/meta), so that an editor, a program and the server give one verdict. Runs
 * on the server and the command line only: ajv makes code from text, which the content policy of the pages forbids.
 */
export interface ShapeCheck {
  /** The first violation in each file, by file. Files that are no JSON, or of no kind, are left to the parser. */
  problems(files: readonly SourceFile[]): Map<string, LintProblem>
  /** Compiles the schemas between other work, so that the first save of an operator does not wait for it. */
  warmUp(): Promise<void>
}

/** Keywords that describe a value for editors and lint, and demand nothing of it here. ajv refuses other unknown keywords. */
const descriptions = [
  ...['expression', 'enumDescriptions', 'text', 'ref', 'decimal', 'fits', 'unit', 'coin', 'per'],
  ...['receiver', 'risk', 'secret', 'key', 'loose', 'computed', 'status', 'shows', 'statusOf'],
]
const address = (name: string) => `tessera:/${name}`

/** @param catalog widgets, calls and topics that documents may name */
export function createShapeCheck(catalog: Catalog): ShapeCheck {
  let made: Ajv2020 | undefined
  /** Made when the first document is judged: a start with documents that were judged before needs none of it. */
  function schemas(): Ajv2020 {
    if (made) return made
    // Of the types that strict mode wants, generated schemas name those that matter. Deep documents are refused before (outline).
    const ajv = new Ajv2020({
      strict: true,
      strictTypes: false,
      strictRequired: false,
      ownProperties: true,
      inlineRefs: false,
      code: { optimize: false },
      validateSchema: false,
      // Errors say the value, and the members that stand beside an unknown one.
      verbose: true,
    })
    ajv.addVocabulary(descriptions)
    for (const [name, schema] of Object.entries(editorSchemas(metaSchemas(), catalog, 'open'))) ajv.addSchema(schema, address(name))
    made = ajv
    return ajv
  }
  const schemaOf = (kind: Kind) => schemas().getSchema(address(`${kind}.schema.json`)) as ValidateFunction

  function problemOf({ file, text }: SourceFile): LintProblem | undefined {
    const { lines, problem } = outline(text)
    const doc = problem ? undefined : readJson(text)
    const kind = typeof doc === 'object' && doc !== null ? (doc as { kind?: unknown }).kind : undefined
    if (typeof kind !== 'string' || !Object.hasOwn(kinds, kind)) return undefined
    const validate = schemaOf(kind as Kind)
    if (validate(doc)) return undefined
    const { pointer, message, suggestion } = findingOf(validate.errors as ErrorObject[])
    const found: LintProblem = { check: 'schema', severity: 'error', file, line: lineOf(lines, pointer), pointer, message }
    return suggestion === undefined ? found : { ...found, suggestion }
  }

  return {
    problems: (files) =>
      new Map(
        files.flatMap((file) => {
          const found = problemOf(file)
          return found ? [[file.file, found]] : []
        }),
      ),
    async warmUp() {
      for (const kind of Object.keys(kinds) as Kind[]) {
        await new Promise((done) => setImmediate(done))
        schemaOf(kind)
      }
    },
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Adds violations of the schemas to the problems of parser and lint, and reports none twice: for a document that the parser refuses its words
 * are better, and a place that lint names is known.
 * @param found problems of parser and lint
 */
export function withShapes(shapes: ReadonlyMap<string, LintProblem>, found: readonly LintProblem[]): LintProblem[] {
  const touches = (one: string, other: string) => one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`)
  const isNamed = (shape: LintProblem) =>
    found.some(
      ({ file, check, severity, pointer }) =>
        file === shape.file && severity === 'error' && (check === 'parse' || touches(pointer, shape.pointer)),
    )
  return [...[...shapes.values()].filter((shape) => !isNamed(shape)), ...found]
}
