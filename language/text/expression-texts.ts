import { type AnyDoc, type Kind, kinds } from '#language/documents/documents.ts'
import { isObject } from '#language/documents/json.ts'
import { changeLogic } from '#language/edit/change-logic.ts'
import { inFormatNow } from '#language/publish/format-migrations.ts'
import { toText } from '#language/text/infix.ts'
import { printText } from '#language/text/json-text.ts'
import { parseLogic, sameLogic } from '#language/text/logic-text.ts'
import { outline } from '#language/text/position.ts'
import { lengthened, shortened } from '#language/text/shorthand.ts'
import { unfinishedText } from '#language/text/unfinished.ts'

/**
 * Files contain expressions as text: `"show": "form.from != form.to and has(form.to)"`. Releases contain JSON-Logic trees, so that browsers
 * never parse text. `compileTexts` converts text to trees, `writeTexts` trees to text. Trees in files are valid too.
 */

/** A text that is not an expression. `from` and `to` are offsets in the text, `to` exclusive. */
interface TextProblem {
  pointer: string
  from: number
  to: number
  message: string
  suggestion?: string
}

/**
 * Replaces every expression text of a document by its JSON-Logic tree, in place. An unreadable text becomes `false` and is reported.
 * @returns the problems
 */
export function compileTexts(doc: AnyDoc): TextProblem[] {
  const problems: TextProblem[] = []
  changeLogic(doc, (logic, pointer) => {
    if (typeof logic !== 'string') return logic
    const read = parseLogic(logic)
    if (read.ok) return isPlainRead(read.logic) ? read.logic.var : read.logic
    const { from, to, message, suggestion } = read.problem
    problems.push({ pointer, from, to, message, ...(suggestion !== undefined && { suggestion }) })
    return false
  })
  return problems
}

/** Replaces every tree of a document by text, in place. A tree that cannot be written as text stays a tree. */
function writeTexts(doc: AnyDoc): void {
  changeLogic(doc, (logic) => {
    const unfinished = unfinishedText(logic)
    if (unfinished !== undefined) return unfinished
    if (typeof logic !== 'object' || logic === null) return logic
    const text = toText(logic)
    const read = parseLogic(text)
    return read.ok && sameLogic(read.logic, logic) ? text : logic
  })
  shortenEach(doc)
}

/** `"each": {"$": "data.list"}` as `"each": "data.list"`, in nodes and slots. */
function shortenEach(part: unknown): void {
  if (typeof part !== 'object' || part === null) return
  const { repeat } = part as { repeat?: unknown }
  if (isObject(repeat) && isObject(repeat.each) && typeof repeat.each.$ === 'string') repeat.each = repeat.each.$
  for (const inner of Object.values(part)) shortenEach(inner)
}

/**
 * The content of a file in its short form: expressions as text, without members that may be omitted. Undefined when the text is not JSON.
 */
export function readJson(text: string): unknown {
  if (outline(text).problem) return undefined
  let json: unknown
  try {
    json = lengthened(JSON.parse(text))
  } catch {
    return undefined
  }
  const kind = typeof json === 'object' && json !== null ? (json as { kind?: unknown }).kind : undefined
  if (typeof kind !== 'string' || !Object.hasOwn(kinds, kind) || !kinds[kind as Kind].safeParse(json).success) return json
  writeTexts(json as AnyDoc)
  return shortened(json)
}

/** A file in the current version of the language, in its printed form. A file of that version, or of a later one, is returned unchanged. */
export function migrated(text: string): string {
  const json = readJson(text)
  const made = inFormatNow(json)
  return made === json ? text : printText(made)
}

/** Prints a file in its printed form. A text that is not JSON is returned unchanged. */
export function formatted(text: string): string {
  const json = readJson(text)
  return json === undefined ? text : printText(json)
}

function isPlainRead(logic: unknown): logic is { var: string } {
  return typeof logic === 'object' && logic !== null && typeof (logic as { var?: unknown }).var === 'string'
}
