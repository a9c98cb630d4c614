import { parse as parseJson } from 'jsonc-parser'
import type * as z from 'zod'
import { type AnyDoc, type Kind, kinds } from '#language/documents/documents.ts'
import { limits } from '#language/documents/limits.ts'
import { nearest } from '#language/documents/nearest.ts'
import { placeIn } from '#language/edit/edit.ts'
import { repaired } from '#language/edit/repair.ts'
import { inFormatNow } from '#language/publish/format-migrations.ts'
import type { DocumentKey } from '#language/publish/release.ts'
import { compileTexts } from '#language/text/expression-texts.ts'
import { below, lineOf, lineOfSyntax, outline } from '#language/text/position.ts'
import { shortPlace } from '#language/text/short-nodes.ts'
import { lengthened } from '#language/text/shorthand.ts'
import { unfinishedIn } from '#language/text/unfinished.ts'
import type { LintProblem, SourceDocument, SourceFile } from '#language/types/catalog.ts'

/** Result of parsing files. */
export interface Parsed {
  /** Documents in the order of the files, without those of invalid files. */
  documents: SourceDocument[]
  problems: LintProblem[]
  /** The usable rest of invalid files, for checks of other files. Never served or published. */
  partial: SourceDocument[]
}

/** Parses files as documents. */
export function parse(files: readonly SourceFile[]): Parsed {
  const documents: SourceDocument[] = []
  const partial: SourceDocument[] = []
  const problems: LintProblem[] = []
  const seen = new Map<string, string>()
  for (const source of files) {
    const { doc, rest, problems: found } = parseOne(source)
    problems.push(...found)
    if (rest) partial.push({ ...source, key: `${rest.kind}/${rest.id}`, doc: rest })
    if (!doc) continue
    const key: DocumentKey = `${doc.kind}/${doc.id}`
    const other = seen.get(key)
    if (other !== undefined)
      problems.push({
        check: 'parse',
        severity: 'error',
        file: source.file,
        line: lineOf(outline(source.text).lines, '/id'),
        pointer: '/id',
        message: `${key} is already defined in ${other}`,
      })
    else documents.push({ ...source, key, doc })
    seen.set(key, other ?? source.file)
  }
  return { documents, problems, partial: partial.filter(({ key }) => !seen.has(key)) }
}

function parseOne({ file, text }: SourceFile): { doc?: AnyDoc; rest?: AnyDoc; problems: LintProblem[] } {
  const at = (line: number, pointer: string, message: string, suggestion?: string): LintProblem => ({
    check: 'parse',
    severity: 'error',
    file,
    line,
    pointer,
    message,
    ...(suggestion !== undefined && { suggestion }),
  })
  if (text.length > limits.documentBytesMax || new TextEncoder().encode(text).length > limits.documentBytesMax) {
    return { problems: [at(1, '', `a document has at most ${limits.documentBytesMax} bytes`)] }
  }
  const { lines, problem } = outline(text)
  if (problem) return { problems: [at(problem.line, problem.pointer, problem.message)] }
  let json: unknown
  try {
    json = inFormatNow(lengthened(JSON.parse(text)))
  } catch (error) {
    const message = (error as Error).message
    return { ...restOf(restOfText(text)), problems: [at(lineOfSyntax(text, message), '', `not JSON: ${message}`)] }
  }
  const kind = typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as { kind?: unknown }).kind : undefined
  if (typeof kind !== 'string' || !Object.hasOwn(kinds, kind)) {
    const suggestion = typeof kind === 'string' ? nearest(kind, Object.keys(kinds)) : undefined
    const message =
      kind === undefined ? `a document requires a kind: ${Object.keys(kinds).join(', ')}` : `there is no kind ${JSON.stringify(kind)}`
    return { problems: [at(lineOf(lines, '/kind'), '/kind', message, suggestion)] }
  }
  const unfinished = [...unfinishedIn(json)]
  if (unfinished.length > 0)
    return {
      ...restOf(repaired(json, kind as Kind, pointersOf)),
      problems: unfinished.map(({ pointer, text }) =>
        at(lineOf(lines, pointer), pointer, text.trim() === '' ? 'the expression is empty' : `this cannot be parsed: ${text}`),
      ),
    }
  const parsed = kinds[kind as Kind].safeParse(json)
  const nodes = parsed.success ? nodesIn(json) : 0
  if (nodes > limits.nodesPerScreenMax)
    return { problems: [at(1, '', `a document has at most ${limits.nodesPerScreenMax} nodes, not ${nodes}`)] }
  if (parsed.success) return compiled(file, text, parsed.data as AnyDoc)
  return {
    ...restOf(repaired(json, kind as Kind, pointersOf)),
    problems: parsed.error.issues
      .flatMap((issue) => flatten(issue, [], json))
      .map(({ pointer, message, suggestion }) => at(lineOf(lines, pointer), pointer, message, suggestion)),
  }
}

/** Compiles the expressions of a document to trees. */
function compiled(file: string, text: string, doc: AnyDoc): { doc?: AnyDoc; rest?: AnyDoc; problems: LintProblem[] } {
  const problems = compileTexts(doc).map(({ pointer: long, from, message, suggestion }): LintProblem => {
    const { lines } = outline(text)
    const pointer = shortPlace(long, (one) => lines.has(one))
    const place = placeIn(text, pointer, from) ?? { line: lineOf(lines, pointer) }
    const more = suggestion !== undefined && { suggestion }
    return { check: 'expressions', severity: 'error', file, ...place, pointer, message, ...more }
  })
  return problems.length > 0 ? { rest: doc, problems } : { doc, problems }
}

/** Recovers what it can from a text that is not valid JSON. */
function restOfText(text: string): AnyDoc | undefined {
  const json = inFormatNow(lengthened(parseJson(text, [], { allowTrailingComma: true })))
  const kind = typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as { kind?: unknown }).kind : undefined
  if (typeof kind !== 'string' || !Object.hasOwn(kinds, kind)) return undefined
  return repaired(json, kind as Kind, pointersOf)
}

const restOf = (rest: AnyDoc | undefined) => (rest ? { rest } : {})

/** Pointers to values that do not match the shape of the kind. */
function pointersOf(json: unknown, kind: Kind): string[] {
  const { error } = kinds[kind].safeParse(json)
  return (error?.issues ?? []).flatMap((issue) => flatten(issue, [], json)).map(({ pointer }) => pointer)
}

/** Fragments are counted where they are inserted. */
function nodesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = Object.hasOwn(value, 'widget') ? 1 : 0
  for (const part of Object.values(value)) count += nodesIn(part)
  return count
}

interface Flat {
  pointer: string
  message: string
  suggestion?: string
}
type Issue = z.core.$ZodIssue

/** When no alternative of a union matches, reports the one that fits best. */
function flatten(issue: Issue, before: readonly PropertyKey[], root: unknown, siblings: readonly Issue[] = []): Flat[] {
  const path = [...before, ...issue.path]
  const pointer = path.reduce<string>((text, name) => below(text, String(name)), '')
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const shapes = issue.errors.map((issues) => ({ issues, misfit: misfit(issues) })).sort((a, b) => a.misfit - b.misfit)
    const [meant] = shapes
    if (!meant) return []
    if (shapes.filter(({ misfit }) => misfit === meant.misfit).length > 2)
      return [
        unknownShape(
          pointer,
          valueAt(root, path),
          shapes.flatMap(({ issues }) => missingNames(issues)),
        ),
      ]
    return meant.issues.flatMap((inside) => flatten(inside, path, root, meant.issues))
  }
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      pointer: below(pointer, key),
      message: `"${key}" is not a member here`,
      ...suggested(key, missingNames(siblings), root, path),
    }))
  }
  if (issue.code === 'invalid_key') return [{ pointer, message: `"${String(path.at(-1))}" has a form that no name here may have` }]
  const value = valueAt(root, path)
  if (value === undefined) return [{ pointer, message: `"${String(path.at(-1))}" is missing` }]
  if (issue.code === 'invalid_value') {
    const values = issue.values.map(String)
    const suggestion = typeof value === 'string' ? nearest(value, values) : undefined
    return [
      { pointer, message: `${JSON.stringify(value)} is not one of ${values.join(', ')}`, ...(suggestion !== undefined && { suggestion }) },
    ]
  }
  return [{ pointer, message: issue.message.replace(/^Invalid input: /, '') }]
}

/** When it is unclear which alternative was meant, lists the words that distinguish them, where there are any. */
function unknownShape(pointer: string, value: unknown, words: readonly string[]): Flat {
  if (words.length === 0) return { pointer, message: 'a value of another form is expected here' }
  const written = typeof value === 'object' && value !== null ? Object.keys(value) : []
  const suggestion = written.map((name) => nearest(name, words)).find((name) => name !== undefined)
  return { pointer, message: `one of ${[...new Set(words)].join(', ')} is expected here`, ...(suggestion !== undefined && { suggestion }) }
}

/** Required names that are missing. */
function missingNames(issues: readonly Issue[]): string[] {
  return issues.filter((issue) => issue.path.length === 1 && issue.code !== 'unrecognized_keys').map((issue) => String(issue.path[0]))
}

/** How badly an alternative fits: unknown and missing names weigh most, then wrong types, then deeper problems. */
function misfit(issues: readonly Issue[]): number {
  let total = 0
  for (const issue of issues) {
    const weight = 100 / (1 + issue.path.length)
    if (issue.code === 'unrecognized_keys') total += weight * issue.keys.length
    else if (issue.code === 'invalid_type' && issue.path.length === 0) total += 1_000
    else if (issue.code === 'invalid_union') total += issue.path.length === 1 && issue.errors.every(isMissing) ? weight : 10
    else total += weight
  }
  return total
}

/** Whether a required value is missing. */
function isMissing(issues: readonly Issue[]): boolean {
  return issues.every((issue) => issue.code === 'invalid_type' && issue.path.length === 0 && issue.message.endsWith('undefined'))
}

const nodeNames = [
  'id',
  'widget',
  'bind',
  'props',
  'show',
  'enable',
  'go',
  'params',
  'on',
  'slots',
  'repeat',
  'states',
  'fallback',
  'critical',
]

function suggested(key: string, wanted: readonly string[], root: unknown, path: readonly PropertyKey[]): { suggestion?: string } {
  const around = valueAt(root, path)
  const isNode = typeof around === 'object' && around !== null && 'id' in around && path.includes('body')
  const kind = typeof root === 'object' && root !== null ? (root as { kind?: string }).kind : undefined
  const top = path.length === 0 && kind !== undefined && Object.hasOwn(kinds, kind) ? Object.keys(kinds[kind as Kind].shape) : undefined
  const suggestion = nearest(key, wanted) ?? nearest(key, top ?? (isNode ? nodeNames : everyName))
  return suggestion === undefined ? {} : { suggestion }
}

const everyName = [
  'call',
  'args',
  'when',
  'pages',
  'keep',
  'debounceMs',
  'keepMs',
  'everyMs',
  'live',
  'on',
  'send',
  'optimistic',
  'loaded',
  'changed',
  'go',
  'params',
  'replace',
  'toast',
  'tone',
  'set',
  'refresh',
  'confirm',
  'with',
  'as',
  'use',
  'each',
  'key',
  'screen',
  'tab',
  'auth',
  'kyc',
  'aliases',
  'icon',
  'label',
  'to',
  'show',
  'badge',
  'type',
  'values',
  'required',
  'default',
  'then',
  'else',
  'field',
  'message',
  'level',
  'test',
]

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let current = root
  for (const name of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, name)) return undefined
    current = (current as Record<PropertyKey, unknown>)[name]
  }
  return current
}
