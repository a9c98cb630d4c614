import { type AnyDoc, type Kind, kinds } from '#language/documents/documents.ts'
import { factsOf } from '#language/documents/walk.ts'
import { changeLogic } from '#language/edit/change-logic.ts'
import { toText } from '#language/text/infix.ts'
import { printText } from '#language/text/json-text.ts'
import { parseLogic, sameLogic } from '#language/text/logic-text.ts'
import { outline } from '#language/text/position.ts'
import { lengthened, shortened } from '#language/text/shorthand.ts'
import { unfinishedText } from '#language/text/unfinished.ts'

/**
 * Files hold expressions as text: `"show": "form.from != form.to and has(form.to)"`. Releases hold JSON-Logic trees, so that browsers never
 * parse text. `compileTexts` leads from one to the other, `writeTexts` back. Trees that stand in a file are valid as well.
 */

/** A text that is no expression. `from` and `to` are offsets in the text, `to` behind the last character. */
interface TextProblem {
  pointer: string
  from: number
  to: number
  message: string
  suggestion?: string
}

/**
 * Puts a JSON-Logic tree in the place of every expression that is text. The document is changed in place. A text that cannot be read becomes
 * `false` and is told in the answer.
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

/** Puts text in the place of every tree. The document is changed in place. What has no text stays a tree. */
function writeTexts(doc: AnyDoc): void {
  changeLogic(doc, (logic) => {
    const unfinished = unfinishedText(logic)
    if (unfinished !== undefined) return unfinished
    if (typeof logic !== 'object' || logic === null) return logic
    const text = toText(logic)
    const read = parseLogic(text)
    return read.ok && sameLogic(read.logic, logic) ? text : logic
  })
  for (const { node } of factsOf(doc).nodes) {
    const each: unknown = node.repeat?.each.$
    if (node.repeat && typeof each === 'string') (node.repeat as { each: unknown }).each = each
  }
}

/**
 * What a file says, with the expressions of a document as text and without what may be left out, however it is written there. Undefined
 * where the text is not JSON.
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

/** A file in its printed form; what is not JSON comes back as it is. */
export function formatted(text: string): string {
  const json = readJson(text)
  return json === undefined ? text : printText(json)
}

function isPlainRead(logic: unknown): logic is { var: string } {
  return typeof logic === 'object' && logic !== null && typeof (logic as { var?: unknown }).var === 'string'
}
